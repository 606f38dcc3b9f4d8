# SPDX-License-Identifier: BSD-3-Clause
"""The files of the page: all of them, nothing else, and a kind sentence when there are none."""

from pathlib import Path

from knuckleboom.cabin.page_files import NOT_BUILT, is_built, read_page


def test_files_of_a_built_page(tmp_path: Path) -> None:
    (tmp_path / "page" / "assets").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "page" / "index.html").write_text("<p>cabin")
    (tmp_path / "page" / "assets" / "main-1a2b.js").write_text("1")
    (tmp_path / "page" / "assets" / "main.css").write_text("p {}")
    (tmp_path / "page" / "link.txt").symlink_to(tmp_path / "secret.txt")

    files = read_page(tmp_path / "page")

    assert is_built(files)
    assert sorted(files) == ["/", "/assets/main-1a2b.js", "/assets/main.css", "/index.html"]
    assert files["/"].content == b"<p>cabin"
    kinds = {path: file.kind for path, file in files.items()}
    assert kinds["/"] == "text/html; charset=utf-8"
    assert kinds["/assets/main-1a2b.js"] == "text/javascript; charset=utf-8"
    assert kinds["/assets/main.css"] == "text/css; charset=utf-8"
    assert files["/assets/main-1a2b.js"].keep and not files["/"].keep
    assert len({file.tag for path, file in files.items() if path != "/"}) == 3


def test_page_that_is_not_built(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        files = read_page(folder)
        assert not is_built(files)
        assert list(files) == ["/"]
        assert NOT_BUILT.encode() in files["/"].content
