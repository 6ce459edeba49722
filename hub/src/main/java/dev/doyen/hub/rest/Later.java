package dev.doyen.hub.rest;

import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value that is there already, or comes with a later input of the hub's; or a refusal instead.
 *
 * <p>Threads: one at a time, as all of the hub.
 */
public final class Later<T> {

    private final List<Runnable> waiting = new ArrayList<>();
    private @Nullable T value;
    private @Nullable Refusal refusal;

    public static <T> Later<T> of(T value) {
        var later = new Later<T>();
        later.become(value);
        return later;
    }

    static <T> Later<T> refused(Refusal refusal) {
        var later = new Later<T>();
        later.refuse(refusal);
        return later;
    }

    /** All of these, once all are there; refused as soon as one is. */
    static <T> Later<List<T>> all(List<Later<T>> each) {
        Later<List<T>> all = of(List.of());
        for (Later<T> one : each) {
            all = all.then(before -> one.map(value -> {
                var longer = new ArrayList<T>(before);
                longer.add(value);
                return longer;
            }));
        }
        return all;
    }

    public void become(T settled) {
        checkOpen();
        value = settled;
        waiting.forEach(Runnable::run);
    }

    public void refuse(Refusal settled) {
        checkOpen();
        refusal = settled;
        waiting.forEach(Runnable::run);
    }

    <R> Later<R> map(Function<? super T, ? extends R> function) {
        return then(there -> of(function.apply(there)));
    }

    <R> Later<R> then(Function<? super T, Later<R>> function) {
        var next = new Later<R>();
        settled(there -> function.apply(there).settled(next::become, next::refuse), next::refuse);
        return next;
    }

    /** With another value if it is refused. */
    Later<T> orElse(Function<? super Refusal, ? extends T> function) {
        var next = new Later<T>();
        settled(next::become, why -> next.become(function.apply(why)));
        return next;
    }

    /** Once the value is there, or at once if it is. Nothing comes of it if it is refused. */
    public void whenThere(Consumer<? super T> listener) {
        settled(listener, why -> {});
    }

    private void settled(Consumer<? super T> listener, Consumer<? super Refusal> refused) {
        Runnable telling = () -> {
            if (value != null) {
                listener.accept(value);
            } else if (refusal != null) {
                refused.accept(refusal);
            }
        };
        if (value == null && refusal == null) {
            waiting.add(telling);
        } else {
            telling.run();
        }
    }

    private void checkOpen() {
        if (value != null || refusal != null) {
            throw new IllegalStateException("it is settled already");
        }
    }
}
