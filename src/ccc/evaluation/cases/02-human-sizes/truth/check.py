import subprocess, sys

bad = []
for args, want in [
    (["-b", "2048"], "2.0 KiB"), (["-b", "1023"], "1023 B"), (["-b", "5242880"], "5.0 MiB"), (["-b", "1610612736"], "1.5 GiB"),
    (["-b", "3298534883328"], "3.0 TiB"), (["-b", "1536"], "1.5 KiB"), (["-b", "0"], "0 B"), (["1500000"], "1.5 MB"), (["2048"], "2.0 kB"),
]:
    got = subprocess.run(["sh", "human.sh", *args], capture_output=True, text=True).stdout.strip()
    if got != want: bad.append(f"human.sh {' '.join(args)}: {got!r}, wanted {want!r}")
if "-b" not in open("README.md").read(): bad.append("README doesn't mention -b")
print("\n".join(bad))
sys.exit(bool(bad))
