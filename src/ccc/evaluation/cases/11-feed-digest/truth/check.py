import json, os, subprocess, sys, tempfile

feeds = [{"items": [{"title": "Old", "date": "2026-01-01", "link": "https://x.example/1"}, {"title": "Mid", "date": "2026-01-05", "link": "https://x.example/2/"}]},
         {"items": [{"title": "Twice", "date": "2026-01-06", "link": "https://x.example/1/"}, {"title": "Top", "date": "2026-01-05", "link": "https://x.example/2#top"},
                    {"title": "New", "date": "2026-01-09", "link": "https://x.example/3"}]}]
with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as f: json.dump(feeds, f)
r = subprocess.run([sys.executable, "send.py", f.name], capture_output=True, text=True)
want = "Subject: Digest\n\n- New (2026-01-09)\n  https://x.example/3\n- Mid (2026-01-05)\n  https://x.example/2/\n- Old (2026-01-01)\n  https://x.example/1\n"
if r.stdout != want:
    print(f"send.py still prints:\n{r.stdout}{r.stderr}"); sys.exit(1)
