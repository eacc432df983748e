"""Reading a diff into files, hunks and lines."""

from ccc.signals import patch

DIFF = """\
diff --git a/a.py b/a.py
index 1..2 100644
--- a/a.py
+++ b/a.py
@@ -1,4 +1,4 @@ def f():
 one
-two
-three
+2
+3
 four
@@ -10,1 +10,2 @@
 ten
+eleven
\\ No newline at end of file
diff --git a/old name.txt b/new name.txt
similarity index 90%
rename from old name.txt
rename to new name.txt
--- a/old name.txt
+++ b/new name.txt\t
@@ -1 +1 @@
-x
+y
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-last
"""


def test_files() -> None:
    """Each file has its name, its old name, and whether it is new or deleted."""
    first, renamed, gone = patch.parse(DIFF)
    assert (first.path, first.is_new, first.is_deleted) == ("a.py", False, False)
    assert (renamed.path, renamed.old_path) == ("new name.txt", "old name.txt")
    assert (gone.path, gone.is_deleted) == ("gone.py", True)


def test_lines() -> None:
    """Lines have the number that they have in the new file, or had in the old one."""
    first = patch.parse(DIFF)[0]
    assert [(line.number, line.text) for line in first.added] == [
        (2, "2"),
        (3, "3"),
        (11, "eleven"),
    ]
    assert [(line.number, line.text) for line in first.removed] == [(2, "two"), (3, "three")]


def test_pairs() -> None:
    """A removed line belongs to the added line that took its place."""
    hunk = patch.parse(DIFF)[0].hunks[0]
    assert [(old.text, new.text) for old, new in patch.pairs(hunk)] == [
        ("two", "2"),
        ("three", "3"),
    ]


def test_no_diff() -> None:
    """Any other text has no changes."""
    assert patch.parse("") == []
    assert patch.parse("+++ b/x\n@@ -1 +1 @@\n+y") == []


def test_an_untracked_file() -> None:
    """A file that git doesn't track is a change that adds all its lines."""
    (change,) = patch.new_files({"n.py": "a\nb\n"})
    assert change.is_new
    assert [line.number for line in change.added] == [1, 2]
