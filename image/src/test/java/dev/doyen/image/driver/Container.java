package dev.doyen.image.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * An image's program as a container runtime starts it in a restricted pod: its root is the image, read-only; user 1069; a
 * /proc, four devices, and a service account or a volume; nothing that it can write but the volume. The network is this
 * machine's.
 *
 * <p>Ends with {@link #close}; and if the test's JVM is killed, when that no longer holds its input.
 */
final class Container implements AutoCloseable {

    /** Where a volume is, in the container. */
    static final String VOLUME = "/volume";

    private static final String ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
    private static final String UNSHARE = "/usr/bin/unshare";
    private static final List<String> DEVICES = List.of("null", "zero", "random", "urandom");

    /**
     * The image's root, what is mounted, where, and how; then the environment and the command. One process all the way: exec
     * keeps its number.
     */
    private static final String ENTER = """
            set -e
            root=$1; mounted=$2; where=$3; how=$4; shift 4
            mount --make-rprivate /
            mount --bind "$root" "$root"
            mount --bind "$mounted" "$root$where"
            if [ "$how" = ro ]; then mount -o remount,bind,ro "$root$where"; fi
            for each in %1$s; do mount --bind "/dev/$each" "$root/dev/$each"; done
            mount -t proc proc "$root/proc"
            mount -o remount,bind,ro "$root"
            exec env -i "$@"
            """.formatted(String.join(" ", DEVICES));

    private final Process process;
    private final Process watchdog;
    private final Path log;
    private final long startedAtNanos;

    private Container(Process process, Process watchdog, Path log, long startedAtNanos) {
        this.process = process;
        this.watchdog = watchdog;
        this.log = log;
        this.startedAtNanos = startedAtNanos;
    }

    /** Skips the test, and says so where people look, if this machine lets nobody do that. */
    static void assumePossible() throws Exception {
        Optional<String> why = Optional.empty();
        if (!"root".equals(System.getProperty("user.name"))) {
            why = Optional.of("only root may chroot");
        } else if (!Files.isExecutable(Path.of(UNSHARE))) {
            why = Optional.of("unshare is not installed (Debian: apt-get install util-linux)");
        } else if (new ProcessBuilder(UNSHARE, "--mount", "mount", "--make-rprivate", "/")
                        .redirectErrorStream(true)
                        .start()
                        .waitFor()
                != 0) {
            why = Optional.of("this machine lets nobody have a mount namespace");
        }
        if (why.isPresent()) {
            var said = "the images were made and read, but not run in a root of their own: " + why.get();
            System.out.println("SKIPPED: " + said);
            Assumptions.abort(said);
        }
    }

    /** A folder that is mounted, {@code ro} or {@code rw}. */
    record Mount(Path folder, String where, String how) {

        /** @param folder with token, ca.crt and namespace, as a pod finds it */
        static Mount account(Path folder) {
            return new Mount(folder, ACCOUNT, "ro");
        }

        /** The one place that the container may write to. */
        static Mount volume(Path folder) {
            return new Mount(folder, VOLUME, "rw");
        }
    }

    static Container start(
            UnpackedImage image, Mount mount, Path log, Map<String, String> environment, List<String> arguments)
            throws IOException {
        var root = image.root();
        // As a container runtime does: what is mounted over must be there.
        for (var folder : List.of("/proc", "/dev", mount.where())) {
            Files.createDirectories(Path.of(root + folder));
        }
        for (var device : DEVICES) {
            if (!Files.exists(root.resolve("dev").resolve(device))) {
                Files.createFile(root.resolve("dev").resolve(device));
            }
        }
        List<String> command =
                new ArrayList<>(List.of(UNSHARE, "--mount", "sh", "-c", ENTER, "enter", root.toString()));
        command.addAll(List.of(mount.folder().toString(), mount.where(), mount.how()));
        image.config().at("/config/Env").forEach(each -> command.add(each.asText()));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        var user = image.config().at("/config/User").asText().split(":", -1);
        var home = image.config().at("/config/WorkingDir").asText();
        command.addAll(
                List.of(UNSHARE, "--root=" + root, "--wd=" + home, "--setgid=" + user[1], "--setuid=" + user[0]));
        command.addAll(image.entrypoint());
        command.addAll(arguments);
        long now = System.nanoTime();
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        var watchdog = new ProcessBuilder("sh", "-c", "read -r _; kill -9 " + process.pid())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new Container(process, watchdog, log, now);
    }

    long pid() {
        return process.pid();
    }

    String said() throws IOException {
        return Files.readString(log);
    }

    /** Milliseconds since it was started. */
    long ageMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAtNanos);
    }

    /** What the kernel says of it, such as {@code VmRSS}, in kB; or {@code Uid}. */
    String status(String field) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status")).stream()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    /** Tells it to end, and returns its exit code. */
    int endByTerm() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(90, TimeUnit.SECONDS)) {
            throw new IllegalStateException("it did not end within 90 s of SIGTERM");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        watchdog.destroyForcibly().onExit().join();
        process.destroyForcibly().onExit().join();
    }
}
