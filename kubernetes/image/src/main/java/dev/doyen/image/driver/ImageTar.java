package dev.doyen.image.driver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.image.Layer;
import dev.doyen.image.OciDocuments;
import dev.doyen.image.OciDocuments.Blob;
import dev.doyen.image.OciDocuments.StoredLayer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * Writes an image as one tar file in the OCI image layout.
 *
 * <p>With the same version of Java, the same files result in the same bytes. The names are sorted, and all entries have
 * the same time and owner.
 */
final class ImageTar {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BLOBS = "blobs/sha256";

    private final Path root;
    private final Path scratch;
    private final Instant time;

    /**
     * @param root the folder with the content of the image
     * @param scratch a folder for the compressed layers
     * @param time the modification time of all entries
     */
    ImageTar(Path root, Path scratch, Instant time) {
        this.root = root;
        this.scratch = scratch;
        this.time = time;
    }

    /** The size of the tar and the total size of the unpacked files, in bytes. */
    record Written(long compressed, long uncompressed) {}

    Written write(OciDocuments.About about, Collection<Layer.Entry> files, Path target) throws IOException {
        SortedMap<String, Path> blobs = new TreeMap<>();
        List<StoredLayer> layers = new ArrayList<>();
        for (Map.Entry<Layer, List<Layer.Entry>> each : Layer.arrange(files).entrySet()) {
            var file = scratch.resolve("layer-" + layers.size());
            var stored = layer(each.getKey(), each.getValue(), file);
            layers.add(stored);
            blobs.put(stored.blob().digest(), file);
        }
        var config = document(OciDocuments.config(about, layers), "config", blobs);
        var manifest = document(OciDocuments.manifest(about, config, layers), "manifest", blobs);
        try (var tar = tar(Files.newOutputStream(target))) {
            for (var each : blobs.entrySet()) {
                add(tar, BLOBS + "/" + each.getKey().substring(each.getKey().indexOf(':') + 1), 0644, each.getValue());
            }
            add(tar, "index.json", bytes(OciDocuments.index(about, manifest)));
            add(tar, "oci-layout", bytes(OciDocuments.layout()));
        }
        long uncompressed = 0;
        for (var each : files) {
            uncompressed += each.folder() ? 0 : Files.size(root.resolve(each.path()));
        }
        return new Written(Files.size(target), uncompressed);
    }

    private StoredLayer layer(Layer which, List<Layer.Entry> entries, Path file) throws IOException {
        var before = Checksums.sha256();
        var after = Checksums.sha256();
        try (var tar = tar(new DigestOutputStream(
                new SmallGzip(new DigestOutputStream(Files.newOutputStream(file), after)), before))) {
            for (var entry : entries) {
                if (entry.folder()) {
                    tar.putArchiveEntry(entry(entry.path() + "/", entry.mode()));
                    tar.closeArchiveEntry();
                } else {
                    add(tar, entry.path(), entry.mode(), root.resolve(entry.path()));
                }
            }
        }
        return new StoredLayer(which, digest(before), new Blob(digest(after), Files.size(file)));
    }

    private Blob document(JsonNode document, String name, Map<String, Path> blobs) throws IOException {
        var bytes = bytes(document);
        var sum = Checksums.sha256();
        sum.update(bytes);
        var blob = new Blob(digest(sum), bytes.length);
        blobs.put(blob.digest(), Files.write(scratch.resolve(name), bytes));
        return blob;
    }

    private TarArchiveOutputStream tar(OutputStream out) {
        var tar = new TarArchiveOutputStream(new BufferedOutputStream(out, 1 << 16), StandardCharsets.UTF_8.name());
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        return tar;
    }

    private void add(TarArchiveOutputStream tar, String name, int mode, Path file) throws IOException {
        var entry = entry(name, mode);
        entry.setSize(Files.size(file));
        tar.putArchiveEntry(entry);
        Files.copy(file, tar);
        tar.closeArchiveEntry();
    }

    private void add(TarArchiveOutputStream tar, String name, byte[] bytes) throws IOException {
        var entry = entry(name, 0644);
        entry.setSize(bytes.length);
        tar.putArchiveEntry(entry);
        tar.write(bytes);
        tar.closeArchiveEntry();
    }

    /** Creates an entry. The root user owns each entry, regardless of the user who runs the build. */
    private TarArchiveEntry entry(String name, int mode) {
        var entry = new TarArchiveEntry(name);
        entry.setMode(mode);
        entry.setIds(0, 0);
        entry.setNames("", "");
        entry.setModTime(time.toEpochMilli());
        return entry;
    }

    private static byte[] bytes(JsonNode document) throws JsonProcessingException {
        return JSON.writeValueAsBytes(document);
    }

    private static String digest(MessageDigest sum) {
        return "sha256:" + Checksums.hex(sum);
    }

    /** Compresses as much as gzip can, because each node of a cluster downloads the image. */
    private static final class SmallGzip extends GZIPOutputStream {

        SmallGzip(OutputStream out) throws IOException {
            super(out, 1 << 16);
            def.setLevel(Deflater.BEST_COMPRESSION);
        }
    }
}
