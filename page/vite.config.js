// SPDX-License-Identifier: BSD-3-Clause
// Builds the page into the package, where the server finds it. Nothing is inlined: the server allows files of its own only.
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: {
    outDir: "../src/knuckleboom/cabin/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    chunkSizeWarningLimit: 1200,
    target: "es2022",
  },
});
