"use strict";

/** The way to the server: messages as objects; a lost connection is taken up again. */
const openSocket = ({ open, receive, lost }) => {
  const WAITS = [300, 700, 1500, 3000, 5000]; // milliseconds before the next try
  let socket = null;
  let tries = 0;

  function connect() {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
    socket.addEventListener("open", () => {
      open(tries > 0);
      tries = 0;
    });
    socket.addEventListener("message", (event) => receive(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      lost();
      setTimeout(connect, WAITS[Math.min(tries++, WAITS.length - 1)]);
    });
  }

  connect();
  return {
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
  };
};

/** What the reader has chosen once, kept by the browser where it may. */
const kept = {
  get(key, otherwise) {
    try {
      return localStorage.getItem(`ka ${key}`) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`ka ${key}`, value);
    } catch {
      // a browser that keeps nothing
    }
  },
};
