package dev.doyen.hub.channel;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A map in insertion order that uses little memory for zero or one entry. The views of the map are read-only. */
final class FewMap<K, V> extends AbstractMap<K, V> {

    /** The key of the only entry; null if the map has no entry or several. */
    private @Nullable K key;

    private @Nullable V value;

    private @Nullable Map<K, V> several;

    @Override
    public @Nullable V put(K newKey, V newValue) {
        if (several != null) {
            return several.put(newKey, newValue);
        }
        V before = value;
        if (key == null || before == null || key.equals(newKey)) {
            key = newKey;
            value = newValue;
            return before;
        }
        several = new LinkedHashMap<>();
        several.put(key, before);
        key = null;
        value = null;
        return several.put(newKey, newValue);
    }

    @Override
    public @Nullable V get(@Nullable Object requestedKey) {
        return several != null ? several.get(requestedKey) : key != null && key.equals(requestedKey) ? value : null;
    }

    @Override
    public boolean containsKey(@Nullable Object requestedKey) {
        return get(requestedKey) != null;
    }

    @Override
    public @Nullable V remove(@Nullable Object unwanted) {
        if (several != null) {
            V removed = several.remove(unwanted);
            several = several.isEmpty() ? null : several;
            return removed;
        }
        V removed = get(unwanted);
        if (removed != null) {
            clear();
        }
        return removed;
    }

    @Override
    public void clear() {
        key = null;
        value = null;
        several = null;
    }

    @Override
    public int size() {
        return several != null ? several.size() : key != null ? 1 : 0;
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        if (several != null) {
            return Collections.unmodifiableMap(several).entrySet();
        }
        return key != null && value != null ? Map.of(key, value).entrySet() : Set.of();
    }
}
