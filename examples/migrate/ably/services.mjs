import { hubOptions } from "@doyen/swarm";

const { ABLY_KEY, ABLY_PORT, DOYEN_TOKENS, DOYEN_PORT } = process.env;

/** The settings for Ably's service. The tests replace this service with a hub. */
export const ably = { key: ABLY_KEY, ...(ABLY_PORT && { endpoint: "localhost", port: Number(ABLY_PORT), tls: false }) };

/**
 * The settings for `doyen hub`. Your server signs the tokens. In production, set tls to true, and set tlsPort instead of
 * port.
 */
export const hub = hubOptions({ authUrl: DOYEN_TOKENS, endpoint: "localhost", port: Number(DOYEN_PORT), tls: false });
