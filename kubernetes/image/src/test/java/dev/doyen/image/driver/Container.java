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
 * Runs the program of an image in the same way as a container runtime in a restricted pod.
 *
 * <p>The root file system is the image, which is read-only. The user id is 1069. The container has /proc, four devices,
 * and the mounted folders, such as a service account and volumes. The program can write only to the folders that are
 * mounted with {@code rw}. The container uses the network of this machine.
 *
 * <p>{@link #close} ends the process. If the JVM of the test is killed, a watchdog kills the process.
 */
final class Container implements AutoCloseable {

    /** The path of a volume in the container. */
    static final String VOLUME = "/volume";

    private static final String ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
    private static final String UNSHARE = "/usr/bin/unshare";
    private static final List<String> DEVICES = List.of("null", "zero", "random", "urandom");

    /**
     * The shell script that mounts all folders and starts the command.
     *
     * <p>The arguments are the image's root, three arguments for each folder to mount, {@code --}, the environment and
     * the command. The three arguments are the folder, its path in the container, and the mount option. The script
     * always calls exec, so the process id stays the same.
     */
    private static final String ENTER = """
            set -e
            root=$1; shift
            mount --make-rprivate /
            mount --bind "$root" "$root"
            while [ "$1" != -- ]; do
              mount --bind "$1" "$root$2"
              if [ "$3" = ro ]; then mount -o remount,bind,ro "$root$2"; fi
              shift 3
            done
            shift
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

    /** Skips the test and prints the reason if this machine cannot run containers this way. */
    static void assumePossible() throws Exception {
        Optional<String> why = Optional.empty();
        if (!"root".equals(System.getProperty("user.name"))) {
            why = Optional.of("only root can use chroot");
        } else if (!Files.isExecutable(Path.of(UNSHARE))) {
            why = Optional.of("unshare is not installed (Debian: apt-get install util-linux)");
        } else if (new ProcessBuilder(UNSHARE, "--mount", "mount", "--make-rprivate", "/")
                        .redirectErrorStream(true)
                        .start()
                        .waitFor()
                != 0) {
            why = Optional.of("this machine does not allow mount namespaces");
        }
        if (why.isPresent()) {
            var message = "the images were built and read, but not run in a container: " + why.get();
            System.out.println("SKIPPED: " + message);
            Assumptions.abort(message);
        }
    }

    /** A folder to mount. The value of {@code how} is {@code ro} or {@code rw}. */
    record Mount(Path folder, String where, String how) {

        /** @param folder the folder that contains token, ca.crt and namespace, as in a pod */
        static Mount account(Path folder) {
            return new Mount(folder, ACCOUNT, "ro");
        }

        /** Returns the mount of a volume that the program may write to. */
        static Mount volume(Path folder) {
            return new Mount(folder, VOLUME, "rw");
        }
    }

    static Container start(
            UnpackedImage image, Mount mount, Path log, Map<String, String> environment, List<String> arguments)
            throws IOException {
        return start(image, List.of(mount), log, environment, arguments);
    }

    static Container start(
            UnpackedImage image, List<Mount> mounts, Path log, Map<String, String> environment, List<String> arguments)
            throws IOException {
        var root = image.root();
        // Create the mount points, as a container runtime does.
        for (var folder : List.of("/proc", "/dev")) {
            Files.createDirectories(Path.of(root + folder));
        }
        for (var mount : mounts) {
            Files.createDirectories(Path.of(root + mount.where()));
        }
        for (var device : DEVICES) {
            if (!Files.exists(root.resolve("dev").resolve(device))) {
                Files.createFile(root.resolve("dev").resolve(device));
            }
        }
        List<String> command =
                new ArrayList<>(List.of(UNSHARE, "--mount", "sh", "-c", ENTER, "enter", root.toString()));
        mounts.forEach(mount -> command.addAll(List.of(mount.folder().toString(), mount.where(), mount.how())));
        command.add("--");
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

    String output() throws IOException {
        return Files.readString(log);
    }

    /** Returns the milliseconds since the start of the container. */
    long ageMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAtNanos);
    }

    /** Returns a field of /proc/PID/status, such as {@code VmRSS} (in kB) or {@code Uid}. */
    String status(String field) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status")).stream()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    /** Sends SIGTERM and returns the exit code. */
    int endByTerm() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(90, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the container did not end within 90 s after SIGTERM");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        watchdog.destroyForcibly().onExit().join();
        process.destroyForcibly().onExit().join();
    }
}
