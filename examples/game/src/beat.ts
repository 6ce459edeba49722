/** A worker that only keeps time: twenty beats a second. */
setInterval(() => postMessage(null), 50);
