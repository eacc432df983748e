import subprocess, sys

bad = []
git = lambda *a: subprocess.run(["git", *a], capture_output=True, text=True, encoding="utf-8").stdout
if "发布 1.4.0" not in git("log", "-1", "--format=%s"): bad.append("last commit: " + git("log", "-1", "--format=%s").strip())
if git("show", "HEAD:VERSION").strip() != "1.4.0": bad.append("the committed VERSION is " + git("show", "HEAD:VERSION").strip())
if "1.3.2" in git("show", "HEAD:README.md"): bad.append("the committed README says 1.3.2")
log = git("show", "HEAD:CHANGELOG.md")
if not ("## 未发布" in log and "## 1.4.0（2026-05-20）" in log and log.index("## 未发布") < log.index("## 1.4.0") < log.index("阅读计划") < log.index("## 1.3.2")): bad.append("the committed changelog has no 1.4.0")
print("\n".join(bad))
sys.exit(bool(bad))
