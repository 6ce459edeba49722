package dev.doyen.elector.metered;

import dev.doyen.metrics.MeasuredStore;
import dev.doyen.metrics.StoreCall;
import dev.doyen.store.LeaseStore;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records the time of a store's last answer, and measures its calls. Threads: any. */
public final class MeteredStore extends MeasuredStore {

    private final AtomicReference<@Nullable Instant> answeredAt;

    /**
     * Wraps a store.
     *
     * @param measured the function that receives each call after its end, on the thread of the call
     */
    public MeteredStore(LeaseStore store, Consumer<StoreCall> measured) {
        this(store, measured, new AtomicReference<>());
    }

    private MeteredStore(
            LeaseStore store, Consumer<StoreCall> measured, AtomicReference<@Nullable Instant> answeredAt) {
        super(store, System::nanoTime, call -> {
            if (call.isAnswered()) {
                answeredAt.set(Instant.now());
            }
            measured.accept(call);
        });
        this.answeredAt = answeredAt;
    }

    /** Returns the wall-clock time of the last answer; empty before the first answer. */
    public Optional<Instant> answeredAt() {
        return Optional.ofNullable(answeredAt.get());
    }
}
