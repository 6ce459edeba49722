package dev.doyen.image.driver;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Merges the jars of a program into one jar.
 *
 * <p>The JVM opens every jar of the class path when the program looks up its first service. With one jar, a program
 * starts faster. The entries are not compressed, because the image compresses the whole jar.
 */
final class MergedJar {

    private static final String META = "META-INF/";
    private static final String SERVICES = META + "services/";
    private static final String VERSIONS = META + "versions/";

    /**
     * The files that a merged jar does not need. A class path ignores descriptions of modules and OSGi bundles, only
     * builds read the folders maven and native-image, and the signature of a jar is not valid for another jar.
     */
    private static final Pattern LEFT_OUT =
            Pattern.compile("(META-INF/versions/\\d+/)?(module-info\\.class|OSGI-INF/.*)"
                    + "|META-INF/(maven|native-image)/.*|META-INF/(INDEX\\.LIST|[^/]+\\.(SF|RSA|DSA|EC))");

    private static final byte[] NEW_LINE = {'\n'};
    /** The time of all entries, so that two builds from the same files are equal. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private final Map<String, byte[]> entries = new LinkedHashMap<>();

    private MergedJar() {}

    /**
     * Writes the files of all jars into one jar. A service has the providers of all jars. If two jars contain different
     * files of the same name in META-INF, such as licences, the second file gets a folder with the name of its jar.
     *
     * @param jars the jars in the order of the class path
     */
    static void write(List<Path> jars, Path merged) throws IOException {
        var all = new MergedJar();
        for (var jar : jars) {
            all.add(jar);
        }
        boolean multiRelease = all.entries.keySet().stream().anyMatch(name -> name.startsWith(VERSIONS));
        var manifest = "Manifest-Version: 1.0\r\n" + (multiRelease ? "Multi-Release: true\r\n" : "") + "\r\n";
        try (var out = new ZipOutputStream(Files.newOutputStream(merged))) {
            put(out, JarFile.MANIFEST_NAME, manifest.getBytes(StandardCharsets.UTF_8));
            for (var entry : all.entries.entrySet()) {
                put(out, entry.getKey(), entry.getValue());
            }
        }
    }

    private void add(Path jar) throws IOException {
        try (var file = new ZipFile(jar.toFile())) {
            for (var entry : file.stream().toList()) {
                var name = entry.getName();
                if (!entry.isDirectory()
                        && !name.equals(JarFile.MANIFEST_NAME)
                        && !LEFT_OUT.matcher(name).matches()) {
                    try (var in = file.getInputStream(entry)) {
                        add(jar, name, in.readAllBytes());
                    }
                }
            }
        }
    }

    private void add(Path jar, String name, byte[] content) {
        var known = entries.putIfAbsent(name, content);
        if (known == null || Arrays.equals(known, content)) {
            return;
        }
        if (name.startsWith(SERVICES)) {
            entries.put(name, joined(known, NEW_LINE, content));
        } else if (name.startsWith(META) && !name.startsWith(VERSIONS)) {
            var folder = jar.getFileName().toString().replaceFirst("\\.jar$", "/");
            entries.put(META + folder + name.substring(META.length()), content);
        } else {
            throw new ImageRefusedException(
                    "two jars contain different files " + name + "; the second jar is " + jar.getFileName());
        }
    }

    private static byte[] joined(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (var part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static void put(ZipOutputStream out, String name, byte[] content) throws IOException {
        var checksum = new CRC32();
        checksum.update(content);
        var entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(content.length);
        entry.setCrc(checksum.getValue());
        out.putNextEntry(entry);
        out.write(content);
        out.closeEntry();
    }
}
