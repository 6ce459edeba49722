package dev.doyen.elector.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Serves the files of a page from one class path folder.
 *
 * <p>Each path must match a pattern of safe names before the lookup. The pattern allows no empty segment, no segment
 * that starts with a dot, and no escapes. So a path cannot leave the folder. Files stay in memory after the first read.
 * Their number is bounded, because the build determines the files.
 */
public final class StaticFiles {

    private static final Pattern SAFE_PATH =
            Pattern.compile("/(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/){0,8}[A-Za-z0-9_-][A-Za-z0-9._-]*\\.([a-z0-9]{1,11})");

    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("html", "text/html; charset=utf-8"),
            Map.entry("js", "text/javascript; charset=utf-8"),
            Map.entry("mjs", "text/javascript; charset=utf-8"),
            Map.entry("css", "text/css; charset=utf-8"),
            Map.entry("json", "application/json"),
            Map.entry("map", "application/json"),
            Map.entry("txt", "text/plain; charset=utf-8"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("png", "image/png"),
            Map.entry("ico", "image/x-icon"),
            Map.entry("webp", "image/webp"),
            Map.entry("woff2", "font/woff2"),
            Map.entry("webmanifest", "application/manifest+json"));

    /** The content of a file. All readers share the array, and must not modify it. */
    public static final class StaticFile {
        private final String contentType;
        private final byte[] bytes;

        private StaticFile(String contentType, byte[] bytes) {
            this.contentType = contentType;
            this.bytes = bytes;
        }

        public String contentType() {
            return contentType;
        }

        public byte[] bytes() {
            return bytes;
        }
    }

    private final ClassLoader classes;
    private final String folder;
    private final Map<String, StaticFile> files = new ConcurrentHashMap<>();

    /**
     * Creates an object that serves the files below {@code folder}.
     *
     * @param folder a class path folder, without a leading or trailing slash
     */
    public StaticFiles(ClassLoader classes, String folder) {
        this.classes = classes;
        this.folder = folder;
    }

    /**
     * Returns the file at a path. The result is empty if the file does not exist or the path is not allowed.
     *
     * <p>A path that ends with a slash means the {@code index.html} of that folder.
     */
    public Optional<StaticFile> find(String path) {
        var name = path.endsWith("/") ? path + "index.html" : path;
        var known = files.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        var matcher = SAFE_PATH.matcher(name);
        var type = matcher.matches() ? TYPES.get(matcher.group(1)) : null;
        if (type == null) {
            return Optional.empty();
        }
        try (var in = classes.getResourceAsStream(folder + name)) {
            if (in == null) {
                return Optional.empty();
            }
            var file = new StaticFile(type, in.readAllBytes());
            files.put(name, file);
            return Optional.of(file);
        } catch (IOException e) {
            throw new UncheckedIOException("the page's file " + name + " could not be read", e);
        }
    }
}
