const { ABLY_KEY, ABLY_PORT, DOYEN_KEY, DOYEN_PORT } = process.env;

/** Ably's own service; the tests put a hub in its place. */
export const ably = { key: ABLY_KEY, ...(ABLY_PORT && { endpoint: "localhost", port: Number(ABLY_PORT), tls: false }) };

/** `doyen hub`: in earnest with tls, and tlsPort instead of port. */
export const hub = { key: DOYEN_KEY, endpoint: "localhost", port: Number(DOYEN_PORT), tls: false };
