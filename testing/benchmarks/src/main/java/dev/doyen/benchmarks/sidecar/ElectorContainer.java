package dev.doyen.benchmarks.sidecar;

import dev.doyen.benchmarks.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The elector's image as a running process, with a read-only root file system, as in a pod.
 *
 * <p>The process runs as user 1069 in the network of this machine. {@link #close} ends it with SIGTERM.
 */
final class ElectorContainer implements AutoCloseable {

    private static final String UNSHARE = "/usr/bin/unshare";
    private static final String ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
    private static final List<String> DEVICES = List.of("null", "zero", "random", "urandom");

    /**
     * The script that mounts the folders, enters the control group, and starts the program. Its arguments are the
     * image's root, the folder of the service account, the two entries of the control group, the environment and the
     * command.
     */
    private static final String ENTER = """
            set -e
            root=$1; account=$2; cpu=$3; count=$4; shift 4
            mount --make-rprivate /
            mount --bind "$root" "$root"
            mount --bind "$account" "$root%s"
            for each in %s; do mount --bind "/dev/$each" "$root/dev/$each"; done
            mount -t proc proc "$root/proc"
            mount --rbind /sys "$root/sys"
            mount -o remount,bind,ro "$root"
            echo $$ > "$cpu"; echo $$ > "$count"
            exec env -i "$@"
            """.formatted(ACCOUNT, String.join(" ", DEVICES));

    private final Process process;
    private final Path log;

    private ElectorContainer(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts the image.
     *
     * @param root the folder with the image's files
     * @param account the folder with the token, the certificate authority and the namespace
     */
    static ElectorContainer start(
            Path root, Path account, CpuLimit limit, List<String> environment, List<String> arguments, Path log)
            throws IOException {
        for (var folder : List.of("proc", "sys", "dev", ACCOUNT.substring(1))) {
            Files.createDirectories(root.resolve(folder));
        }
        for (var device : DEVICES) {
            if (!Files.exists(root.resolve("dev").resolve(device))) {
                Files.createFile(root.resolve("dev").resolve(device));
            }
        }
        var command = new ArrayList<>(List.of(UNSHARE, "--mount", "sh", "-c", ENTER, "enter"));
        command.addAll(List.of(root.toString(), account.toString()));
        limit.entries().forEach(each -> command.add(each.toString()));
        command.addAll(List.of("LANG=C.UTF-8", "MALLOC_ARENA_MAX=1"));
        command.addAll(environment);
        command.addAll(List.of(UNSHARE, "--root=" + root, "--wd=/doyen", "--setgid=1069", "--setuid=1069"));
        command.addAll(List.of("/doyen/runtime/bin/java", "@/doyen/jvm.args", "dev.doyen.cli.ElectorProgram"));
        command.addAll(arguments);
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new ElectorContainer(process, log);
    }

    /** @throws IllegalStateException if the program has ended; the message contains its output */
    void checkRuns() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException("the elector has ended: " + Files.readString(log));
        }
    }

    double residentMebibytes() throws IOException {
        return Memory.resident(process.toHandle()) / 1024.0 / 1024.0;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the elector did not end at SIGTERM: " + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
