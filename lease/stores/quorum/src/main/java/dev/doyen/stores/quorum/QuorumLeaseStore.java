package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A replicated lease store that runs in the application's processes, without a server.
 *
 * <p>The members replicate the records with Raft. A new quorum has 3, 5 or 7 members. A majority of the voting members
 * confirms each write.
 *
 * <p>A member reads from its own copy of the records, without a message. A client reads watched records from its own
 * copy, and other records from a member. The writes of one call form one entry of the log, or several entries if one
 * entry would be too large. A watch announces a change of a record after this process has received the change. If a
 * record changes several times quickly, the watch can announce these changes together.
 *
 * <p>Threads: any. Source: D. Ongaro and J. Ousterhout, In Search of an Understandable Consensus Algorithm, 2014.
 */
public final class QuorumLeaseStore implements LeaseStore {

    /** The maximum number of writes in one entry of the log. */
    static final int MAX_WRITES = 1_000;

    /** The maximum size of a log entry in bytes, unless a single write is longer. */
    static final int MAX_ENTRY_BYTES = 128 << 10;

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");

    private final Replica replica;
    private final Duration timeout;
    private final Runnable closing;

    /**
     * Creates a store on a replica.
     *
     * @param closing a task that closes the replica and its resources
     */
    QuorumLeaseStore(Replica replica, Duration timeout, Runnable closing) {
        this.replica = replica;
        this.timeout = timeout;
        this.closing = closing;
    }

    /** Opens the store as a member or as a client, as the settings define. */
    static QuorumLeaseStore open(QuorumRole role) {
        return role instanceof QuorumSettings member ? open(member) : open((QuorumClientSettings) role);
    }

    /**
     * Opens the store and makes this process a member of the quorum.
     *
     * <p>The method waits for a majority, at most for the timeout. The store opens even without a majority. Its calls
     * then fail until a majority exists.
     *
     * @throws StoreUnavailableException if the directory or the address cannot be used
     */
    public static QuorumLeaseStore open(QuorumSettings settings) {
        OpenMember member = OpenMember.open(settings, WireSystem.DEFAULT);
        awaitOpen(member.process().complete(), settings, "waits for a majority of the members");
        return new QuorumLeaseStore(member.process(), settings.timeout(), member::close);
    }

    /**
     * Opens the store and makes this process a client of the quorum.
     *
     * <p>The method waits for a member that answers, at most for the timeout. The store opens even if no member
     * answers. Its calls then fail until a member answers.
     */
    public static QuorumLeaseStore open(QuorumClientSettings settings) {
        OpenClient client = OpenClient.open(settings, WireSystem.DEFAULT);
        awaitOpen(client.client().catchUp(settings.timeout()), settings, "waits for a member that answers");
        return new QuorumLeaseStore(client.client(), settings.timeout(), client::close);
    }

    /**
     * Returns true if a process with this URL is a member, not a client.
     *
     * @throws IllegalArgumentException if this URL is not a valid URL of a quorum; the message is for users
     */
    public static boolean isMember(String url) {
        return QuorumUrl.parse(url) instanceof QuorumSettings;
    }

    private static void awaitOpen(CompletableFuture<Void> open, QuorumRole settings, String waiting) {
        try {
            open.get(settings.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            LOG.log(Level.INFO, settings + " " + waiting);
        } catch (ExecutionException e) {
            LOG.log(Level.INFO, settings + " " + waiting + ": " + Requests.reason(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public VersionedLease read(String election) {
        return replica.read(election, timeout);
    }

    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections) {
        return replica.readAll(elections, timeout);
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        if (!next.election().equals(election)) {
            throw new IllegalArgumentException("a record of \"" + next.election() + "\" for \"" + election + "\"");
        }
        return compareAndSetAll(List.of(new LeaseStore.Write(expected, next))).get(0);
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> writes) {
        List<CompletableFuture<List<CasOutcome>>> sent = new ArrayList<>();
        List<List<LeaseStore.Write>> entries = entries(writes);
        entries.forEach(entry -> sent.add(replica.write(entry, timeout)));
        long deadline = System.nanoTime() + timeout.toNanos();
        List<CasOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            outcomes.addAll(await(sent.get(i), entries.get(i).size(), deadline));
        }
        return outcomes;
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return Optional.of(replica.watch(election, changed));
    }

    /**
     * Returns the state of the quorum.
     *
     * <p>A member returns its own state, without a message. A client asks its current member and waits for the answer.
     *
     * @throws StoreUnavailableException if this process is a client and no member answers within the timeout
     */
    public QuorumStatus status() {
        return replica.status(timeout);
    }

    /**
     * Simulates a network partition of this process, until {@link #reconnect} is called.
     *
     * <p>The wire drops all frames from and to other processes. The process continues and detects that it has no
     * majority. The method is only for chaos tests and demonstrations.
     */
    public void disconnect() {
        replica.disconnect();
    }

    /** Ends the partition that {@link #disconnect} began. */
    public void reconnect() {
        replica.reconnect();
    }

    @Override
    public LeaseStore.Promises promises() {
        return new LeaseStore.Promises(true, true, "the members of the quorum and their clients");
    }

    @Override
    public void close() {
        closing.run();
    }

    /** Splits writes into entries, each with as many writes as fit. */
    private static List<List<LeaseStore.Write>> entries(List<LeaseStore.Write> writes) {
        List<List<LeaseStore.Write>> entries = new ArrayList<>();
        List<LeaseStore.Write> entry = new ArrayList<>();
        long bytes = 0;
        for (LeaseStore.Write write : writes) {
            long size = LeaseBytes.ofWrites(List.of(write)).length;
            if (!entry.isEmpty() && (bytes + size > MAX_ENTRY_BYTES || entry.size() == MAX_WRITES)) {
                entries.add(entry);
                entry = new ArrayList<>();
                bytes = 0;
            }
            entry.add(write);
            bytes += size;
        }
        if (!entry.isEmpty()) {
            entries.add(entry);
        }
        return entries;
    }

    private static List<CasOutcome> await(CompletableFuture<List<CasOutcome>> sent, int count, long deadline) {
        String why;
        try {
            return sent.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            why = "interrupted while waiting for the quorum";
        } catch (TimeoutException e) {
            why = "the quorum did not answer in time";
        } catch (ExecutionException e) {
            why = e.getCause() instanceof StoreUnavailableException known
                    ? String.valueOf(known.getMessage())
                    : "the quorum failed: " + e.getCause();
        }
        List<CasOutcome> unknown = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            unknown.add(new CasOutcome.Unknown(why));
        }
        return unknown;
    }
}
