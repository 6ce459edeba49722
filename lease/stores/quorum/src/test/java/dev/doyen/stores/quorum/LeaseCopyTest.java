package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseCopyTest {

    private static final byte[] ENTRY = LeaseBytes.ofWrites(List.of(write("a"), write("b")));
    private static final byte[] MALFORMED = {9};

    private final FailingExecutor announcer = new FailingExecutor();
    private final List<Throwable> failures = new ArrayList<>();
    private final LeaseCopy copy = new LeaseCopy(announcer, index -> {}, failures::add);

    @Test
    void an_entry_is_applied_completely_even_if_its_changes_cannot_be_announced() {
        copy.watch("a", () -> {});
        copy.watch("b", () -> {});
        announcer.failures = 2;
        assertThat((List<?>) copy.runOperation(1, ENTRY)).hasSize(2).hasOnlyElementsOfType(CasOutcome.Written.class);
        assertThat(copy.read("a").record()).isPresent();
        assertThat(copy.read("b").record()).isPresent();
        assertThat(failures).isEmpty();
    }

    @Test
    void after_a_failure_the_copy_applies_nothing_and_takes_no_snapshot() {
        assertThatThrownBy(() -> copy.runOperation(1, MALFORMED)).isInstanceOf(MalformedBytesException.class);
        assertThat(failures).hasSize(1);
        assertThatThrownBy(() -> copy.runOperation(2, ENTRY)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> copy.takeSnapshot(2, part -> {})).isInstanceOf(IllegalStateException.class);
        assertThat(copy.read("a").record()).isEmpty();
        assertThat(copy.appliedIndex()).isZero();
        assertThat(failures).hasSize(1);
    }

    private static LeaseStore.Write write(String election) {
        return new LeaseStore.Write(LeaseVersion.ABSENT, LeaseRecords.record(election, "h", 1, SavedState.EMPTY));
    }
}
