/** The package elects one leader among the members of a channel. Start reading at {@link Swarm}. */
export { Swarm } from "./swarm.js";
export { AnySwarm, type SwarmLeader, type SwarmMember, type SwarmStatus } from "./any-swarm.js";
export { Leadership } from "./leadership.js";
export { CHECKPOINT, MAX_CHECKPOINT_BYTES, type Checkpoint } from "./checkpoints.js";
export { CLAIM_REFUSED, FENCE_REFUSED, NotLeadingError } from "./errors.js";
export { TERM_HEADER } from "./member.js";
export { systemClock, type Clock } from "./clock.js";
export { hubOptions, MAX_TTL_MILLIS } from "./options.js";
export type { ConnectLimits } from "./limits.js";
export type { Behaviour, SwarmOptions, WithClient, WithConnection } from "./options.js";
export type { LossReason } from "./ranking-state.js";
export type { RealtimeChannel, RealtimeClient } from "./realtime.js";
export type { Listener, Register } from "./hook.js";
