package dev.doyen.hub.rest;

import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value or {@link Refusal}, available now or after a later input of the hub.
 *
 * <p>One thread at a time may use an instance.
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

    /**
     * Combines several values into a single value. The result is the list of all values, or the first refusal in the
     * order of the list.
     */
    static <T> Later<List<T>> all(List<Later<T>> each) {
        var values = new ArrayList<T>(each.size());
        Later<List<T>> all = of(values);
        for (Later<T> one : each) {
            all = all.then(before -> one.map(value -> {
                values.add(value);
                return values;
            }));
        }
        return all;
    }

    /** Completes this object with a value. Throws {@link IllegalStateException} on a second completion. */
    public void become(T settled) {
        checkOpen();
        value = settled;
        waiting.forEach(Runnable::run);
    }

    /** Completes this object with a refusal. Throws {@link IllegalStateException} on a second completion. */
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

    /** Replaces a refusal by a value. */
    Later<T> orElse(Function<? super Refusal, ? extends T> function) {
        var next = new Later<T>();
        settled(next::become, why -> next.become(function.apply(why)));
        return next;
    }

    /**
     * Calls the listener with the value, now or when the value arrives. If the result is a refusal, the listener is
     * never called.
     */
    public void whenThere(Consumer<? super T> listener) {
        settled(listener, why -> {});
    }

    private void settled(Consumer<? super T> listener, Consumer<? super Refusal> refused) {
        Runnable notification = () -> {
            if (value != null) {
                listener.accept(value);
            } else if (refusal != null) {
                refused.accept(refusal);
            }
        };
        if (value == null && refusal == null) {
            waiting.add(notification);
        } else {
            notification.run();
        }
    }

    private void checkOpen() {
        if (value != null || refusal != null) {
            throw new IllegalStateException("the value was completed twice");
        }
    }
}
