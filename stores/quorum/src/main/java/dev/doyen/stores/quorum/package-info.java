/**
 * Leases without a server: the processes themselves are the store.
 *
 * <p>{@link dev.doyen.stores.quorum.QuorumLeaseStore} is the {@code LeaseStore}. It works on a
 * {@link dev.doyen.stores.quorum.Replica}; a {@link dev.doyen.stores.quorum.QuorumMember} is one that also votes, and a
 * {@link dev.doyen.stores.quorum.QuorumClient} asks a member, whose {@link dev.doyen.stores.quorum.ClientRequests} answers. The library
 * MicroRaft elects the leader of the log and confirms entries. Doyen supplies what MicroRaft leaves open: the thread and the
 * clock ({@link dev.doyen.stores.quorum.RaftTime}), the files ({@link dev.doyen.stores.quorum.QuorumDirectory}), the network
 * ({@link dev.doyen.stores.quorum.Wire}), and the records ({@link dev.doyen.stores.quorum.LeaseTable}). Decision 57 has the reasons.
 */
@NullMarked
package dev.doyen.stores.quorum;

import org.jspecify.annotations.NullMarked;
