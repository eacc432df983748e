"""Messages of `ccc web` in English."""

WORDS = {
    "web.usage": """Usage: ccc web [--port N] [--open]
       ccc web --host ADDRESS --token-file FILE [--port N]

Serves a page on this machine that shows what happens: the sessions and runs as
they work, the queue, past sessions with their reports. You can turn supervision
on or off, answer questions, stop a run and change the queue. Ctrl-C ends it.

It prints a link that lets one browser in, and the next link after that.

  --port N            the port (default: 8765, or the next free one)
  --open              open the link in your browser
  --host ADDRESS      listen on another address than 127.0.0.1. Whoever has the
                      token sees your work and can act on it, and there is no
                      TLS. A tunnel is safer: ssh -L 8765:127.0.0.1:8765 HOST
  --token-file FILE   use the token in this file (mode 600)
  --no-color""",
    # the terminal
    "web.link": "Open this link in a browser; it can be used once. Ctrl-C ends the page.",
    "web.link_fixed": "Open it in a browser and enter the token in {file}. Ctrl-C ends the page.",
    "web.port_moved": "Port {usual} is in use, so the page is on port {port}.",
    "web.next_link": "Link for another browser: {link}",
    "web.warning": "Warning: other machines can reach this page, and there is no TLS: whoever "
    "can read the traffic can read your work and the token. Use a tunnel instead where you can.",
    "web.port": "can't listen on {host}, port {port}: {cause}\n"
    "→ Choose another port: ccc web --port N, or leave the option out.",
    "web.host_hint": "Use an address of this machine, or leave --host out.",
    "web.needs_token": "--host {host} needs --token-file: other machines can reach the page\n"
    "→ Make one: (umask 077; openssl rand -hex 24 > FILE), then add --token-file FILE. Or leave "
    "--host out, and use a tunnel.",
    "web.token_public": "others can read the token in {file}\n→ Make it private: chmod 600 {file}",
    "web.token_short": "the token in {file} needs at least {least} letters, digits, - or _, and "
    "nothing else",
    "web.token_foreign": "the token file {file} belongs to another user, who could change it",
    "web.token_hint": "Make one: (umask 077; openssl rand -hex 24 > {file})",
    # every page
    "web.now": "Now",
    "web.board": "Board",
    "web.history": "History",
    "web.pages": "Pages",
    "web.skip": "Skip to the content",
    "web.keys": "switch pages",
    "web.lost": "Connection lost, trying again …",
    "web.restarted": "ccc web was restarted. Open the new link from its terminal.",
    # what happens now
    "web.not_opened": "No browser could be opened. Open the link yourself.",
    "web.waiting": "Waiting for you",
    "web.in_terminal": "This session is open. Answer in its terminal.",
    "web.in_shell": "Answer in a shell",
    "web.resume_session": "Open the session",
    "web.session": "Session id",
    "web.copy": "Copy",
    "web.copied": "Copied",
    "web.answer_run": "Your answer; the run then continues in the background",
    "web.no_answer": "there is no answer",
    "web.you_wrote": "What you wrote",
    "web.stale": "This question has changed or was answered. What you have typed stays here until "
    "you remove it, and can't be sent.",
    "web.task_changed": "#{id} has changed since the page showed it: {reason}\n"
    "→ Nothing was done. Look at it as it is now.",
    "web.not_asked": "this run doesn't wait for an answer any more",
    "web.not_continued": "the run couldn't be continued:\n{cause}",
    "web.is_starting": "the run is starting; that takes a while\n"
    "→ It continues by itself. If it can't, the next page says why.",
    "web.is_answered": "this run has an answer already, and is starting",
    "web.of_queue": "this run belongs to a task of the queue\n→ Use the board for that.",
    "web.later_run": "ccc run --continue would continue another run\n"
    "→ A later run in this directory isn't finished either. Open this session to answer.",
    "web.answer_to": "Your answer to #{id}",
    "web.answer": "Send the answer",
    "web.sent": "Sent",
    "web.of_limit": "of {limit}",
    "web.is_run": "unattended run",
    "web.log": "What happened last",
    "web.turn_on": "Turn supervision on",
    "web.turn_off": "Turn supervision off",
    "web.stop": "Stop the run",
    "web.ask_stop": "Stop this run? Its work stays, and ccc run --continue continues it.",
    "web.no_run": "this run isn't working any more\n→ Its page shows how it ended.",
    "web.gone": "The records of this session were removed.",
    # the board
    "web.more": "… and {n} more:",
    "web.mark": "Mark",
    "web.actions": "Actions",
    "web.pause": "Pause the queue",
    "web.resume": "Resume the queue",
    "web.move": "Move",
    "web.first": "To the front",
    "web.last": "To the end",
    "web.priority": "Priority (higher starts first)",
    "web.set": "Set",
    "web.do_cancel": "Cancel the task",
    "web.ask_cancel": "Cancel task #{id}?",
    "web.retry": "Retry",
    "web.no_queue": 'there is no queue\n→ There is no queue yet. Add a task: ccc queue add "task"',
    "web.queue_silent": "the queue doesn't answer\n"
    "→ Another program may be using it, or its database can't be reached. The page tries again.",
    "web.not_done": "Nothing was changed. Try again later.",
    "web.queue_unknown": "It isn't known yet whether the change was made. Look at the board "
    "when the queue answers again.",
    "web.queue_old": "This is how the queue was at {time}.",
    "web.locked": "another program holds the lock of ccc's records\n"
    "→ The change waits for it, 30 seconds at most. Look at the page then.",
    "web.go_back": "Go back",
    # history
    "web.search": "Search",
    "web.not_found": "No session matches.",
    "web.turn_pages": "Pages of the history",
    "web.page_of": "Page {n} of {last}",
    "web.newer": "Newer",
    "web.older": "Older",
    # refusals
    "web.enter_title": "This page needs a token",
    "web.enter": "Open the link that ccc web printed in its terminal. It can be used once; after "
    "that the terminal shows the next one.",
    "web.used": "This token isn't valid, or was used already. Open the newest link in the "
    "terminal of ccc web.",
    "web.token": "Link or token",
    "web.in_history": "Older sessions are in History",
    "web.close": "Close",
    "web.go_in": "Open the page",
    "web.enter_button": "Enter",
    "web.refused_title": "Refused",
    "web.refused": "This request didn't come from this page, or the page is out of date.\n"
    "Go back, reload the page, and try again.",
    "web.host": "The page is known under another address. Open the link from the terminal.",
    "web.missing_title": "Not found",
    "web.missing": "There is no such page, or its session was removed.",
    "web.bad_title": "That didn't work",
    "web.bad": "The page can't handle this request.",
    "web.too_large": "The text is too long.",
    "web.failed": "This is a bug in ccc. CCC_DEBUG=1 ccc web prints the details.",
}
