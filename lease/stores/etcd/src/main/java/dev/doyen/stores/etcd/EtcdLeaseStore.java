package dev.doyen.stores.etcd;

import dev.doyen.log.FaultLog;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.store.probe.RightsProbe;
import dev.doyen.store.support.LeaseFileNames;
import dev.doyen.store.support.PipelinedLeaseStore;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Stores leases in etcd, one key per election.
 *
 * <p>A record's version is the key's {@code mod_revision}. A write is one transaction that compares the version. If the
 * versions differ, the transaction returns the current record. etcd has one revision counter for the whole cluster. So
 * no revision occurs twice, even if a key was deleted.
 *
 * <p>Threads: any number, over one connection. The store sends no request twice, and every call ends within the timeout
 * (see {@link EtcdSettings#client}).
 */
public final class EtcdLeaseStore extends PipelinedLeaseStore {

    /**
     * The maximum number of operations in one transaction (etcd's --max-txn-ops). Also the maximum number of concurrent
     * writes of one call.
     */
    private static final int AT_ONCE = 128;

    /**
     * The time after which opening the store fails. The time includes the first connection, and the election of a
     * leader within the etcd cluster.
     */
    private static final Duration OPENED_WITHIN = Duration.ofSeconds(10);

    private static final LeaseStore.Promises PROMISES = new LeaseStore.Promises(
            true,
            true,
            "an etcd cluster",
            List.of("a cluster that is restored from a snapshot goes back to its terms; restore it with revisions"
                    + " bumped while no candidate runs, or give the leases another prefix"));

    private final EtcdSettings settings;
    private final Client client;
    private final KV keys;
    private final EtcdWatch watch;
    private final RightsProbe rights = new RightsProbe(this);

    private EtcdLeaseStore(EtcdSettings settings, Client client) {
        super("etcd at " + settings.url().place(), settings.timeout(), AT_ONCE);
        this.settings = settings;
        this.client = client;
        this.keys = client.getKVClient();
        this.watch = new EtcdWatch(client.getWatchClient(), settings.prefix());
    }

    /** Opens the store and sends one read. The read fails if the address or the password is wrong. */
    static EtcdLeaseStore open(EtcdSettings settings) {
        var store = new EtcdLeaseStore(settings, settings.client());
        try {
            store.keys
                    .get(
                            EtcdSettings.bytes(settings.prefix()),
                            GetOption.builder().withCountOnly(true).build())
                    .get(OPENED_WITHIN.toNanos(), TimeUnit.NANOSECONDS);
            return store;
        } catch (ExecutionException | TimeoutException | InterruptedException | RuntimeException e) {
            store.close();
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            Optional<StoreRefusedException> refusal = store.refusal(FaultLog.rootCause(e));
            if (refusal.isPresent()) {
                throw new StoreRefusedException(
                        "etcd at " + settings.url().place() + " cannot be used: "
                                + refusal.get().refusal(),
                        refusal.get().remedy(),
                        e);
            }
            throw new StoreUnavailableException(
                    "etcd at " + settings.url().place() + " cannot be used: " + whatHappened(e)
                            + "; check the addresses, the user, and that most members run",
                    e);
        }
    }

    /** Returns leases from recent watch events, and reads the other leases in one transaction. */
    @Override
    protected List<CompletableFuture<VersionedLease>> sendReads(List<String> elections) {
        Map<String, CompletableFuture<VersionedLease>> answers = new LinkedHashMap<>();
        for (String each : elections) {
            watch.takeEvent(key(each).toString())
                    .ifPresent(event -> answers.put(
                            each, CompletableFuture.completedFuture(event).thenApply(present -> lease(each, present))));
        }
        List<String> remaining =
                elections.stream().filter(each -> !answers.containsKey(each)).toList();
        if (!remaining.isEmpty()) {
            Op[] gets = remaining.stream()
                    .map(each -> Op.get(key(each), GetOption.DEFAULT))
                    .toArray(Op[]::new);
            CompletableFuture<TxnResponse> answer = keys.txn().Then(gets).commit();
            for (int i = 0; i < remaining.size(); i++) {
                String election = remaining.get(i);
                int place = i;
                answers.put(
                        election,
                        answer.thenApply(
                                all -> lease(election, all.getGetResponses().get(place))));
            }
        }
        return elections.stream().map(answers::get).toList();
    }

    /**
     * Writes the record if the key still has the expected version. If the record must be absent, the write compares the
     * create revision, which is 0 for a missing key.
     */
    @Override
    protected CompletableFuture<CasOutcome> send(LeaseStore.Write write) {
        String election = write.next().election();
        ByteSequence key = key(election);
        CmpTarget<?> expected = write.expected().isAbsent()
                ? CmpTarget.createRevision(0)
                : CmpTarget.modRevision(Long.parseLong(write.expected().value()));
        return keys.txn()
                .If(new Cmp(key, Cmp.Op.EQUAL, expected))
                .Then(Op.put(key, EtcdSettings.bytes(LeaseRecordText.write(write.next())), PutOption.DEFAULT))
                .Else(Op.get(key, GetOption.DEFAULT))
                .commit()
                .thenApply(answer -> answer.isSucceeded()
                        ? written(key, answer.getHeader().getRevision())
                        : new CasOutcome.Conflict(
                                lease(election, answer.getGetResponses().get(0))));
    }

    private CasOutcome written(ByteSequence key, long revision) {
        watch.recordRevision(key.toString(), revision);
        return new CasOutcome.Written(LeaseVersion.of(revision));
    }

    /**
     * Returns the refusal if etcd rejects the request because of the user. The message of the client's exception begins
     * with the code of the answer.
     *
     * <p>An invalid token is no refusal, because the client replaces an expired token before the next request.
     */
    @Override
    protected Optional<StoreRefusedException> refusal(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        boolean login = (message.startsWith("UNAUTHENTICATED") && !message.contains("invalid auth token"))
                || message.contains("authentication failed")
                || message.contains("user name is empty");
        if (!login && !message.startsWith("PERMISSION_DENIED")) {
            return Optional.empty();
        }
        String remedy = login
                ? "check the user and the password in the URL"
                : "give this user's role the permission readwrite on the keys with the prefix " + settings.prefix();
        return Optional.of(new StoreRefusedException(message, remedy, cause));
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return Optional.of(watch.watch(key(election).toString(), changed));
    }

    @Override
    public List<String> missingRights() {
        return rights.missing();
    }

    @Override
    public LeaseStore.Promises promises() {
        return PROMISES;
    }

    @Override
    public void close() {
        watch.close();
        client.close();
    }

    private VersionedLease lease(String election, GetResponse answer) {
        if (answer.getKvs().isEmpty()) {
            return VersionedLease.ABSENT;
        }
        return lease(election, answer.getKvs().get(0));
    }

    private VersionedLease lease(String election, KeyValue held) {
        watch.recordRevision(held.getKey().toString(), held.getModRevision());
        LeaseRecord record = LeaseRecordText.readStored(
                "the etcd key " + key(election), election, held.getValue().toString());
        return VersionedLease.of(LeaseVersion.of(held.getModRevision()), record);
    }

    private ByteSequence key(String election) {
        return EtcdSettings.bytes(settings.prefix() + LeaseFileNames.of(election));
    }
}
