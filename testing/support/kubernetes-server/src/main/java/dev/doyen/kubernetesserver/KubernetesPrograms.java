package dev.doyen.kubernetesserver;

import dev.doyen.testkit.ServerProcess;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.tukaani.xz.XZInputStream;

/**
 * Finds the Kubernetes programs of this machine.
 *
 * <p>The programs are in the folder of the system property or environment variable {@value #VARIABLE}, or else in
 * {@code shared/kube} beside the checkout. A program that is compressed with xz is unpacked once into the build folder.
 */
final class KubernetesPrograms {

    private static final String MODULE = "testing/support/kubernetes-server";

    static final String VARIABLE = "DOYEN_TEST_KUBERNETES";

    private final Path folder;
    private final Path unpacked;

    private KubernetesPrograms(Path folder, Path unpacked) {
        this.folder = folder;
        this.unpacked = unpacked;
    }

    /** Skips the test and prints the reason if kube-apiserver or etcd is missing. */
    static KubernetesPrograms assumeThere() {
        ServerProcess.assumeInstalled("store kubernetes", "etcd", "etcd-server");
        Path root = checkout();
        Optional<Path> folder = named().or(
                        () -> Optional.of(root.resolveSibling("shared").resolve("kube")))
                .filter(each -> has(each, "kube-apiserver"));
        if (folder.isEmpty()) {
            String message = "store kubernetes: no kube-apiserver; set " + VARIABLE
                    + " to a folder with kube-apiserver and kube-controller-manager, plain or .xz";
            System.out.println("SKIPPED: " + message);
            Assumptions.abort(message);
        }
        return new KubernetesPrograms(folder.orElseThrow(), root.resolve(MODULE).resolve("target/programs"));
    }

    /**
     * Returns the path of the program, after unpacking it if necessary.
     *
     * <p>Several test processes can call this method at the same time. A file lock lets one process unpack the program.
     * The method is also synchronized, because a second thread of the same process cannot wait for a file lock.
     */
    Path program(String name) throws IOException {
        synchronized (KubernetesPrograms.class) {
            return unpacked(name);
        }
    }

    private Path unpacked(String name) throws IOException {
        Path plain = folder.resolve(name);
        if (Files.isExecutable(plain)) {
            return plain;
        }
        Path packed = folder.resolve(name + ".xz");
        Files.createDirectories(unpacked);
        Path program =
                unpacked.resolve(name + "-" + Files.getLastModifiedTime(packed).toMillis());
        try (FileChannel lock = FileChannel.open(
                        unpacked.resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var held = lock.lock()) {
            if (held.isValid() && !Files.isExecutable(program)) {
                unpack(packed, program);
            }
        }
        return program;
    }

    private static void unpack(Path packed, Path program) throws IOException {
        Path part = program.resolveSibling(program.getFileName() + ".part");
        try (var in = new XZInputStream(new BufferedInputStream(Files.newInputStream(packed), 1 << 16))) {
            Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
        }
        if (!part.toFile().setExecutable(true)) {
            throw new IOException(part + " could not be made executable");
        }
        Files.move(part, program, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Optional<Path> named() {
        return Stream.of(System.getProperty(VARIABLE), System.getenv(VARIABLE))
                .filter(each -> each != null && !each.isEmpty())
                .map(Path::of)
                .findFirst();
    }

    private static boolean has(Path folder, String name) {
        return Files.isExecutable(folder.resolve(name)) || Files.isReadable(folder.resolve(name + ".xz"));
    }

    /** Returns the root of the checkout. Tests run in the folder of their module. */
    private static Path checkout() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve(MODULE))) {
            folder = Optional.ofNullable(folder.getParent())
                    .orElseThrow(() -> new IllegalStateException("this test runs in no checkout of Doyen"));
        }
        return folder;
    }
}
