//! Chromium without a window, driven over its debugging pipe: messages of JSON, each ended by a
//! zero byte.

use std::{
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, Receiver},
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Longest silence before the browser is given up; a busy machine takes a while to start it.
const SILENCE_MAX: Duration = Duration::from_secs(90);

/// What makes it start without a profile, a window, a sandbox or a word to anyone.
const OPTIONS: [&str; 12] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--remote-debugging-pipe",
];

/// A browser with one page.
pub struct Browser {
    child: Child,
    pipe: File,
    said: Receiver<Value>,
    session: Option<String>,
    number: u64,
    events: Vec<Value>,
    home: TempDir,
}

/// The browser's name on this machine, if there is one.
fn installed() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].into_iter().find(
        |name| {
            let version = Command::new(name).arg("--version").stderr(Stdio::null()).output();
            version.is_ok_and(|output| output.status.success())
        },
    )
}

impl Browser {
    /// Starts it with an empty page; `None`, and says so, where none is installed.
    pub fn start() -> Option<Browser> {
        let Some(name) = installed() else {
            println!("skipped: no chromium is installed (Debian: apt-get install chromium)");
            return None;
        };
        let home = TempDir::new().expect("a folder for the browser");
        let pipe = |name| {
            let path = home.path().join(name);
            let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
            assert!(made.success());
            path
        };
        let (to, from): (PathBuf, PathBuf) = (pipe("to"), pipe("from"));
        let child = Command::new("sh")
            .args(["-c", r#"exec "$@" 3<"$TO" 4>"$FROM""#, "sh", name])
            .args(OPTIONS)
            .arg(format!("--user-data-dir={}", home.path().join("profile").display()))
            .arg("about:blank")
            .envs([("TO", &to), ("FROM", &from)])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let pipe = OpenOptions::new().write(true).open(to).expect("a pipe to the browser");
        let from = File::open(from).expect("a pipe from the browser");
        let (sender, said) = mpsc::channel();
        std::thread::spawn(move || {
            for message in BufReader::new(from).split(0) {
                let message = message.ok().and_then(|text| serde_json::from_slice(&text).ok());
                if message.is_none_or(|message| sender.send(message).is_err()) {
                    return;
                }
            }
        });
        let (session, number, events) = (None, 0, Vec::new());
        let mut browser = Browser { child, pipe, said, session, number, events, home };
        browser.attach();
        Some(browser)
    }

    fn attach(&mut self) {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.call("Target.attachToTarget", target);
        self.session = session["sessionId"].as_str().map(Into::into);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
    }

    /// Opens a page from a file and waits until it is loaded.
    pub fn open(&mut self, page: &str) {
        let path = self.home.path().join("page.html");
        std::fs::write(&path, page).expect("the page is written");
        self.navigate(&path);
    }

    fn navigate(&mut self, path: &Path) {
        self.events.clear();
        self.call("Page.navigate", json!({ "url": format!("file://{}", path.display()) }));
        let loaded = |events: &[Value]| events.iter().any(|e| e["method"] == "Page.loadEventFired");
        while !loaded(&self.events) {
            let event = self.said.recv_timeout(SILENCE_MAX).expect("the browser goes on");
            self.events.push(event);
        }
    }

    /// The width of the page's window, as a phone's or a desk's.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500,
        });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Whether the page is to be dark.
    pub fn darken(&mut self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": value }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// What an expression is in the page.
    pub fn eval(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true });
        let mut answer = self.call("Runtime.evaluate", asked);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].take()
    }

    /// The same as text.
    pub fn text(&mut self, expression: &str) -> String {
        let value = self.eval(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression}: {value}")).into()
    }

    /// A key pressed and let go.
    pub fn key(&mut self, key: &str) {
        for kind in ["rawKeyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key, "code": key }));
        }
    }

    /// What the page complained of since it was opened.
    pub fn complaints(&self) -> Vec<&Value> {
        let loud = ["Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"];
        let is_loud = |event: &&Value| loud.iter().any(|method| event["method"] == *method);
        self.events.iter().filter(is_loud).collect()
    }

    /// The addresses the page asked for since it was opened, its own among them.
    pub fn requests(&self) -> Vec<&str> {
        let requests = self.events.iter().filter(|e| e["method"] == "Network.requestWillBeSent");
        requests.filter_map(|event| event["params"]["request"]["url"].as_str()).collect()
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        write!(self.pipe, "{message}\0").expect("the browser listens");
        loop {
            let mut answer = self.said.recv_timeout(SILENCE_MAX).expect("the browser answers");
            if answer["id"] == self.number {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].take();
            }
            self.events.push(answer);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Its processes go with the first one; it is asked first, so that they do so in order.
        let close = json!({ "id": 0, "method": "Browser.close" });
        if write!(self.pipe, "{close}\0").is_err() {
            let _ = self.child.kill();
        }
        let patience = std::time::Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) {
            if patience.elapsed() > Duration::from_secs(10) {
                let _ = self.child.kill();
                let _ = self.child.wait();
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
