package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.lease.RequestKind;
import dev.doyen.lease.StoreFault;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BatchingStoreExecutorTest {

    private final BatchingStore store = new BatchingStore();
    private final BatchingStoreExecutor storeExecutor =
            new BatchingStoreExecutor(new OneThread(new AtomicBoolean()), store, Duration.ofSeconds(1));
    private final Answers answers = new Answers();

    @Test
    void reads_of_several_elections_are_batched_and_each_is_answered() {
        store.compareAndSet("b", LeaseVersion.ABSENT, Answers.record("b"));
        store.duringCall = () -> List.of("a", "b").forEach(name -> storeExecutor.read(name, answers.reader(name)));
        storeExecutor.read("first", answers.reader("first"));

        assertThat(store.calls).containsExactly("read [first]", "read [a, b]");
        assertThat(answers.all()).containsExactly("first found 0", "a found 0", "b found 1");
    }

    @Test
    void a_read_missing_from_the_answer_fails_and_the_others_succeed() {
        store.unanswered = "a";
        store.duringCall = () -> List.of("a", "b").forEach(name -> storeExecutor.read(name, answers.reader(name)));
        storeExecutor.read("first", answers.reader("first"));

        assertThat(answers.all())
                .containsExactly(
                        "first found 0", "a failed: the store did not return the record of \"a\"", "b found 0");
    }

    @Test
    void writes_of_several_elections_are_batched_and_each_is_answered_once() {
        store.duringCall = () -> List.of("a", "b").forEach(this::write);
        write("first");

        assertThat(store.calls).containsExactly("write [first]", "write [a, b]");
        assertThat(answers.all()).containsExactly(written("first"), written("a"), written("b"));
    }

    @Test
    void a_write_whose_outcome_is_missing_is_unknown_and_the_others_are_answered_once() {
        store.unanswered = "b";
        store.duringCall = () -> List.of("a", "b").forEach(this::write);
        write("first");

        String missing = "the store did not return the outcome of the write of \"b\"";
        assertThat(answers.all())
                .containsExactly(written("first"), written("a"), "b " + new CasOutcome.Unknown(missing));
    }

    @Test
    void requests_are_answered_once_if_the_answer_to_another_request_throws() {
        store.duringCall = () -> {
            storeExecutor.read("a", answers.reader("a"));
            storeExecutor.read("failing", new FailingReader());
            storeExecutor.read("b", answers.reader("b"));
        };
        storeExecutor.read("first", answers.reader("first"));
        store.duringCall = () -> {
            write("a");
            storeExecutor.write(
                    RequestKind.RELEASE, LeaseVersion.ABSENT, Answers.record("failing"), outcome -> throwOnPurpose());
            write("b");
        };
        write("first");

        assertThat(answers.all())
                .containsExactly(
                        "first found 0", "a found 0", "b found 0", written("first"), written("a"), written("b"));
    }

    @Test
    void reads_fail_if_the_store_throws() {
        store.failing = true;
        storeExecutor.read("a", answers.reader("a"));

        assertThat(answers.all()).containsExactly("a failed: java.lang.IllegalStateException");
    }

    @Test
    void writes_are_unknown_if_the_store_throws() {
        store.failing = true;
        write("a");

        assertThat(answers.all()).containsExactly("a " + new CasOutcome.Unknown("java.lang.IllegalStateException"));
    }

    private void write(String election) {
        storeExecutor.write(
                RequestKind.RELEASE, LeaseVersion.ABSENT, Answers.record(election), answers.writer(election));
    }

    private static void throwOnPurpose() {
        throw new IllegalStateException("on purpose");
    }

    private static String written(String election) {
        return election + " " + new CasOutcome.Written(LeaseVersion.of(1));
    }

    /** A reader that throws an exception for each answer. */
    private static final class FailingReader implements StoreExecutor.Reader {
        @Override
        public void found(VersionedLease lease) {
            throwOnPurpose();
        }

        @Override
        public void failed(StoreFault fault) {
            throwOnPurpose();
        }
    }

    /** A store that records its batch calls. */
    private static final class BatchingStore extends ForwardingLeaseStore {
        final List<String> calls = new ArrayList<>();

        /** Runs once, during the next batch call. */
        Runnable duringCall = () -> {};

        /** The election that is missing from answers. In a batch of writes, this must be the last election. */
        String unanswered = "";

        boolean failing;

        BatchingStore() {
            super(new MemoryLeaseStore());
        }

        @Override
        public Map<String, VersionedLease> readAll(Collection<String> elections) {
            call("read " + elections);
            var found = new HashMap<>(super.readAll(elections));
            found.remove(unanswered);
            return found;
        }

        @Override
        public List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> writes) {
            call("write "
                    + writes.stream().map(write -> write.next().election()).toList());
            List<CasOutcome> outcomes = super.compareAndSetAll(writes);
            boolean isLastMissing =
                    writes.get(writes.size() - 1).next().election().equals(unanswered);
            return isLastMissing ? outcomes.subList(0, outcomes.size() - 1) : outcomes;
        }

        private void call(String call) {
            calls.add(call);
            Runnable once = duringCall;
            duringCall = () -> {};
            once.run();
            if (failing) {
                throw new IllegalStateException("on purpose");
            }
        }

        @Override
        public VersionedLease read(String election) {
            return behind().read(election);
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            return behind().compareAndSet(election, expected, next);
        }
    }
}
