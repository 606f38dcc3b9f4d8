// SPDX-License-Identifier: BSD-3-Clause
// Tone: light or dark, as the system says, or as chosen here.

const PLACE = "knuckleboom.tone", asked = window.matchMedia("(prefers-color-scheme: dark)");

const stored = () => {
  try {
    return localStorage.getItem(PLACE);
  } catch {
    return null;
  }
};

/** The tone of now. */
export const tone = () => {
  const chosen = stored();
  return chosen === "light" || chosen === "dark" ? chosen : asked.matches ? "dark" : "light";
};

/** Take the other tone, for this browser. */
export function switchTone() {
  try {
    localStorage.setItem(PLACE, tone() === "dark" ? "light" : "dark");
  } catch {
    return;  // a browser that keeps nothing stays with the system's tone
  }
  asked.dispatchEvent(new Event("change"));
}

/** Call back now and whenever the tone changes. */
export function onTone(show) {
  const apply = () => {
    document.documentElement.dataset.tone = tone();
    show(tone());
  };
  asked.addEventListener("change", apply);
  apply();
}
