package dev.doyen.server.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The files of a page, from one folder of the class path.
 *
 * <p>A path is matched against what a file may be called before it is looked up, so it cannot leave the folder: no
 * segment starts with a dot, none is empty, nothing is escaped. Files once read are kept; there are only as many as were built.
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

    /** A file's bytes, shared by all who read it: not to be changed. */
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

    /** {@code folder} is the class path folder without slashes at its ends. */
    public StaticFiles(ClassLoader classes, String folder) {
        this.classes = classes;
        this.folder = folder;
    }

    /** The file at a request's path; empty if there is none, or may be none. Of a folder it is its {@code index.html}. */
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
