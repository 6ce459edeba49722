/** The package elects one leader among the members of a channel. Start reading at {@link Swarm}. */
export { Swarm } from "./swarm.js";
export type {
  Checkpoint,
  Leadership,
  Listener,
  LossReason,
  Register,
  SwarmLeader,
  SwarmMessage,
  SwarmStatus,
} from "@doyen/tabs/api";
export type { AnySwarm, SwarmMember } from "./any-swarm.js";
export { CHECKPOINT, MAX_CHECKPOINT_BYTES } from "./checkpoints.js";
export { CLAIM_REFUSED, FENCE_REFUSED, NotLeadingError } from "./errors.js";
export { TERM_HEADER } from "./member.js";
export { systemClock, type Clock } from "./clock.js";
export { hubOptions, MAX_TTL_MILLIS } from "./options.js";
export type { ConnectLimits } from "./limits.js";
export type { Behaviour, SwarmOptions, WithClient, WithConnection } from "./options.js";
export type { RealtimeChannel, RealtimeClient } from "./realtime.js";
