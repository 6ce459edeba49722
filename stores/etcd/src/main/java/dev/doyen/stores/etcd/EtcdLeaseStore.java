package dev.doyen.stores.etcd;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseFileNames;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.StorePromises;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Leases in etcd: a key per election, whose version is its {@code mod_revision}. A write is one transaction that compares
 * it and, if it differs, answers with what there is. Revisions count for the whole cluster, so none is used twice, not
 * even for a key that was deleted.
 *
 * <p>Threads: any number, over one connection. Nothing is sent twice, and every call ends within the timeout:
 * {@link EtcdSettings#client}.
 */
public final class EtcdLeaseStore implements LeaseStore {

    /** How many operations a server takes in one transaction (--max-txn-ops), and how many writes are under way at once. */
    private static final int AT_ONCE = 128;

    /** Opening waits longer than a call does: for the first connection, or for a cluster that is just electing. */
    private static final Duration OPENED_WITHIN = Duration.ofSeconds(10);

    private static final StorePromises PROMISES = new StorePromises(
            true,
            true,
            "an etcd cluster",
            List.of(
                    "a cluster that is restored from a snapshot goes back to its terms; restore it with revisions bumped"
                            + " while no candidate runs, or give the leases another prefix"));

    private final EtcdSettings settings;
    private final Client client;
    private final KV keys;
    private final EtcdWatch watch;

    private EtcdLeaseStore(EtcdSettings settings, Client client) {
        this.settings = settings;
        this.client = client;
        this.keys = client.getKVClient();
        this.watch = new EtcdWatch(client.getWatchClient(), settings.prefix());
    }

    /** Opens the store, and reads once, so that a wrong address or password is found now. */
    static EtcdLeaseStore open(EtcdSettings settings) {
        var store = new EtcdLeaseStore(settings, settings.client());
        try {
            await(
                    store.keys.get(
                            EtcdSettings.bytes(settings.prefix()),
                            GetOption.builder().withCountOnly(true).build()),
                    System.nanoTime() + OPENED_WITHIN.toNanos());
            return store;
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            store.close();
            throw new StoreUnavailableException(
                    "etcd at " + settings.url().place() + " cannot be used: " + whatHappened(e)
                            + "; check the addresses, the user, and that most members run",
                    e);
        }
    }

    @Override
    public VersionedLease read(String election) {
        return readAll(List.of(election)).values().iterator().next();
    }

    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections) {
        long deadline = deadline();
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        for (List<String> some : chunks(List.copyOf(elections))) {
            Op[] gets = some.stream()
                    .map(each -> Op.get(key(each), GetOption.DEFAULT))
                    .toArray(Op[]::new);
            try {
                List<GetResponse> answers =
                        await(keys.txn().Then(gets).commit(), deadline).getGetResponses();
                for (int i = 0; i < some.size(); i++) {
                    found.put(some.get(i), lease(some.get(i), answers.get(i)));
                }
            } catch (ExecutionException | TimeoutException e) {
                throw new StoreUnavailableException(
                        "etcd at " + settings.url().place() + " did not answer a read: " + whatHappened(e), e);
            }
        }
        return found;
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        if (!next.election().equals(election)) {
            throw new IllegalArgumentException("a record of \"" + next.election() + "\" for \"" + election + "\"");
        }
        return compareAndSetAll(List.of(new LeaseWrite(expected, next))).get(0);
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseWrite> writes) {
        long deadline = deadline();
        List<CasOutcome> outcomes = new ArrayList<>();
        for (List<LeaseWrite> some : chunks(writes)) {
            List<Future<TxnResponse>> sent = new ArrayList<>();
            some.forEach(each -> sent.add(send(each)));
            for (int i = 0; i < some.size(); i++) {
                outcomes.add(outcome(some.get(i).next().election(), sent.get(i), deadline));
            }
        }
        return outcomes;
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return Optional.of(watch.watch(key(election).toString(), changed));
    }

    @Override
    public StorePromises promises() {
        return PROMISES;
    }

    @Override
    public void close() {
        watch.close();
        client.close();
    }

    /** A key that does not exist has the revision 0. */
    private Future<TxnResponse> send(LeaseWrite write) {
        ByteSequence key = key(write.next().election());
        CmpTarget<?> expected = write.expected().isAbsent()
                ? CmpTarget.createRevision(0)
                : CmpTarget.modRevision(Long.parseLong(write.expected().value()));
        return keys.txn()
                .If(new Cmp(key, Cmp.Op.EQUAL, expected))
                .Then(Op.put(key, EtcdSettings.bytes(LeaseRecordText.write(write.next())), PutOption.DEFAULT))
                .Else(Op.get(key, GetOption.DEFAULT))
                .commit();
    }

    private CasOutcome outcome(String election, Future<TxnResponse> sent, long deadline) {
        try {
            TxnResponse answer = await(sent, deadline);
            return answer.isSucceeded()
                    ? new CasOutcome.Written(LeaseVersion.of(answer.getHeader().getRevision()))
                    : new CasOutcome.Conflict(
                            lease(election, answer.getGetResponses().get(0)));
        } catch (ExecutionException | TimeoutException | StoreUnavailableException e) {
            return new CasOutcome.Unknown("the lease of \"" + election + "\" could not be written to etcd at "
                    + settings.url().place() + ": " + whatHappened(e));
        }
    }

    private VersionedLease lease(String election, GetResponse answer) {
        if (answer.getKvs().isEmpty()) {
            return VersionedLease.ABSENT;
        }
        KeyValue held = answer.getKvs().get(0);
        LeaseRecord record = LeaseRecordText.readStored(
                "the etcd key " + key(election), election, held.getValue().toString());
        return VersionedLease.of(LeaseVersion.of(held.getModRevision()), record);
    }

    private ByteSequence key(String election) {
        return EtcdSettings.bytes(settings.prefix() + LeaseFileNames.of(election));
    }

    private long deadline() {
        return System.nanoTime() + settings.timeout().toNanos();
    }

    private static <T> T await(Future<T> answer, long deadline) throws ExecutionException, TimeoutException {
        try {
            return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while waiting for etcd", e);
        }
    }

    private static String whatHappened(Throwable e) {
        Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
        return cause instanceof TimeoutException
                ? "no answer in time"
                : cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    private static <T> List<List<T>> chunks(List<T> all) {
        List<List<T>> chunks = new ArrayList<>();
        for (int i = 0; i < all.size(); i += AT_ONCE) {
            chunks.add(all.subList(i, Math.min(all.size(), i + AT_ONCE)));
        }
        return chunks;
    }
}
