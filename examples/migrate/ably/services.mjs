const { ABLY_KEY, ABLY_PORT, DOYEN_KEY, DOYEN_PORT } = process.env;

/** Ably's own service, which the tests replace by a hub. */
export const ably = { key: ABLY_KEY, ...(ABLY_PORT && { endpoint: "localhost", port: Number(ABLY_PORT), tls: false }) };

/** `doyen hub`. In production set tls, and tlsPort instead of port. */
export const hub = { key: DOYEN_KEY, endpoint: "localhost", port: Number(DOYEN_PORT), tls: false };
