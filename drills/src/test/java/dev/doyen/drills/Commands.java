package dev.doyen.drills;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Runs the system's own small programs. */
final class Commands {

    private Commands() {}

    /** Throws {@link IOException} with what the program said if it fails. */
    static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said.strip());
        }
    }

    static boolean succeeds(String... command) throws InterruptedException {
        try {
            run(command);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
