package dev.doyen.stores.quorum;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes registers while its process runs, one request at a time.
 *
 * <p>A write is a compare-and-set. Each request with its answer is an operation of the history.
 */
final class RegisterUser {

    static final Duration TIMEOUT = Duration.ofSeconds(2);
    static final List<String> REGISTERS = List.of("r1", "r2");

    /** A process's access to the registers. */
    interface Access {

        /** Returns the record in a state that includes all writes that were confirmed before this call. */
        CompletableFuture<VersionedLease> read(String register);

        CompletableFuture<List<CasOutcome>> write(List<LeaseStore.Write> writes);
    }

    private final WorldHost host;
    private final QuorumWorld world;
    private final int incarnation;
    private final Access access;
    private final Map<String, VersionedLease> known = new HashMap<>();
    private boolean isLast;

    /** The current request, which has no answer yet; null between two requests. */
    private Register.@Nullable Operation open;

    RegisterUser(WorldHost host, Access access) {
        this.host = host;
        this.world = host.world();
        this.incarnation = host.incarnation();
        this.access = access;
    }

    String name() {
        return host.address() + "." + incarnation;
    }

    /** Stops after the current request. */
    void stop() {
        isLast = true;
    }

    boolean waits() {
        return open != null;
    }

    void next() {
        if (incarnation == host.incarnation() && !isLast) {
            sendRequest(REGISTERS.get(world.random().nextInt(REGISTERS.size())));
        }
    }

    void sendRequest(String register) {
        VersionedLease before = known.getOrDefault(register, VersionedLease.ABSENT);
        if (world.random().nextInt(3) == 0) {
            var operation = new Register.Operation(register, world.now(), Register.NEVER, name(), "", "", "");
            open = operation;
            finish(operation, access.read(register));
        } else {
            String value = world.nextValue();
            var operation =
                    new Register.Operation(register, world.now(), Register.NEVER, name(), value(before), value, "");
            open = operation;
            finish(
                    operation,
                    access.write(List.of(new LeaseStore.Write(before.version(), record(register, value))))
                            .thenApply(outcomes -> after(outcomes.get(0), record(register, value))));
        }
    }

    private void finish(Register.Operation operation, CompletableFuture<VersionedLease> answer) {
        answer.whenComplete((lease, failure) -> {
            if (incarnation != host.incarnation()) {
                return;
            }
            world.history().add(failure == null ? operation.answered(world.now(), value(lease)) : operation);
            if (failure == null) {
                known.put(operation.register(), lease);
            }
            open = null;
            host.later(incarnation, world.random().nextInt(100), this::next);
        });
    }

    /** Records the current request without an answer, because the process has ended. */
    void end() {
        if (open != null) {
            world.history().add(open);
        }
    }

    private static VersionedLease after(CasOutcome outcome, LeaseRecord record) {
        if (outcome instanceof CasOutcome.Written done) {
            return VersionedLease.of(done.version(), record);
        }
        if (outcome instanceof CasOutcome.Conflict refused) {
            return refused.current();
        }
        throw new StoreUnavailableException(outcome.toString());
    }

    private static String value(VersionedLease lease) {
        return lease.record().map(LeaseRecord::holder).orElse(Register.NO_VALUE);
    }

    private static LeaseRecord record(String register, String value) {
        return LeaseRecords.record(register, value, 1, SavedState.EMPTY);
    }
}
