import { hubOptions } from "@doyen/swarm";

const { ABLY_KEY, ABLY_PORT, DOYEN_KEY, DOYEN_PORT } = process.env;

/** The settings for Ably's service. The tests replace this service with a hub. */
export const ably = { key: ABLY_KEY, ...(ABLY_PORT && { endpoint: "localhost", port: Number(ABLY_PORT), tls: false }) };

/** The settings for `doyen hub`. In production, set tls to true, and set tlsPort instead of port. */
export const hub = hubOptions({ key: DOYEN_KEY, endpoint: "localhost", port: Number(DOYEN_PORT), tls: false });
