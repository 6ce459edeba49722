package dev.doyen.image;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A layer of an image. The layer that changes least often comes first.
 *
 * <p>After an update of the program, only the layer of the program is downloaded again.
 */
public enum Layer {
    /** The C library and the user database, such as /etc/passwd. */
    SYSTEM,
    /** The Java runtime. */
    RUNTIME,
    /** The program's jars, its arguments and its class-data archive. */
    PROGRAM;

    /**
     * A file or folder of a layer. The root user owns the entry, and only the root user may write to it.
     *
     * @param path the path relative to the image's root
     */
    public record Entry(String path, boolean folder, boolean executable) {

        /** Returns the permissions as a number for {@code chmod}. */
        public int mode() {
            return folder || executable ? 0755 : 0644;
        }
    }

    /** Returns the sorted entries of each layer. A folder comes before its content. */
    public static Map<Layer, List<Entry>> arrange(Collection<Entry> files) {
        Map<Layer, Map<String, Entry>> layers = new EnumMap<>(Layer.class);
        for (var file : files) {
            var layer = layers.computeIfAbsent(of(file.path()), any -> new TreeMap<>());
            for (int slash = file.path().indexOf('/');
                    slash > 0;
                    slash = file.path().indexOf('/', slash + 1)) {
                var folder = file.path().substring(0, slash);
                layer.putIfAbsent(folder, new Entry(folder, true, false));
            }
            layer.put(file.path(), file);
        }
        Map<Layer, List<Entry>> arranged = new EnumMap<>(Layer.class);
        layers.forEach((layer, entries) -> {
            List<Entry> sorted = new ArrayList<>(entries.values());
            sorted.sort(Comparator.comparing(Entry::path));
            arranged.put(layer, List.copyOf(sorted));
        });
        return arranged;
    }

    private static Layer of(String path) {
        if (path.startsWith(ImagePaths.HOME + "/" + ImagePaths.RUNTIME + "/")) {
            return RUNTIME;
        }
        return path.startsWith(ImagePaths.HOME + "/") ? PROGRAM : SYSTEM;
    }
}
