/** A worker that posts a message every 50 ms. */
setInterval(() => postMessage(null), 50);
