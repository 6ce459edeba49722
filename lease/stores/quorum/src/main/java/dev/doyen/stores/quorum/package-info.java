/**
 * Contains a lease store without a server: the application's processes replicate the records.
 *
 * <p>The library MicroRaft elects the leader of the log and confirms entries. Doyen supplies the parts that MicroRaft
 * does not contain. Start with {@link dev.doyen.stores.quorum.QuorumLeaseStore}, which works on a
 * {@link dev.doyen.stores.quorum.Replica}.
 *
 * <p>All classes are in one package, because they share types that no user needs. The classes by subject:
 *
 * <ul>
 *   <li>API: {@link dev.doyen.stores.quorum.QuorumLeaseStore}, {@link dev.doyen.stores.quorum.QuorumAdmin}, and the
 *       settings
 *   <li>member: {@link dev.doyen.stores.quorum.QuorumProcess}, its {@link dev.doyen.stores.quorum.QuorumMember}, and
 *       the records ({@link dev.doyen.stores.quorum.LeaseCopy})
 *   <li>client: {@link dev.doyen.stores.quorum.QuorumClient}, and {@link dev.doyen.stores.quorum.ClientRequests} in the
 *       member
 *   <li>changes of members: {@link dev.doyen.stores.quorum.Joining}, {@link dev.doyen.stores.quorum.MemberChanges}, and
 *       {@link dev.doyen.stores.quorum.MemberChangePlan}, which decides each step
 *   <li>files: {@link dev.doyen.stores.quorum.QuorumDirectory}, {@link dev.doyen.stores.quorum.RaftJournal}
 *   <li>network: {@link dev.doyen.stores.quorum.Wire} with {@link dev.doyen.stores.quorum.TcpWire}, and
 *       {@link dev.doyen.stores.quorum.Frames}
 *   <li>the thread and the clock: {@link dev.doyen.stores.quorum.RaftTime}
 * </ul>
 *
 * <p>Decisions 57 and 60 contain the reasons for this design.
 */
@NullMarked
package dev.doyen.stores.quorum;

import org.jspecify.annotations.NullMarked;
