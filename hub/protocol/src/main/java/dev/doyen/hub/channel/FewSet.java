package dev.doyen.hub.channel;

import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A set in insertion order that uses little memory for zero or one element.
 *
 * <p>A hub has several such sets for each of tens of thousands of connections. The iterator is read-only.
 */
final class FewSet<E> extends AbstractSet<E> {

    /** The only element; null if the set has no element or several. */
    private @Nullable E only;

    private @Nullable Set<E> several;

    @Override
    public boolean add(E element) {
        if (several != null) {
            return several.add(element);
        }
        if (only == null) {
            only = element;
            return true;
        }
        if (only.equals(element)) {
            return false;
        }
        several = new LinkedHashSet<>();
        several.add(only);
        only = null;
        return several.add(element);
    }

    @Override
    public boolean remove(@Nullable Object element) {
        if (several != null) {
            boolean removed = several.remove(element);
            several = several.isEmpty() ? null : several;
            return removed;
        }
        boolean removed = only != null && only.equals(element);
        only = removed ? null : only;
        return removed;
    }

    @Override
    public void clear() {
        only = null;
        several = null;
    }

    @Override
    public boolean contains(@Nullable Object element) {
        return several != null ? several.contains(element) : only != null && only.equals(element);
    }

    @Override
    public int size() {
        return several != null ? several.size() : only != null ? 1 : 0;
    }

    @Override
    public Iterator<E> iterator() {
        if (several != null) {
            return Collections.unmodifiableSet(several).iterator();
        }
        return only != null ? Set.of(only).iterator() : Collections.emptyIterator();
    }
}
