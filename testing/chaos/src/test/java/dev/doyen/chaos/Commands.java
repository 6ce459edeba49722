package dev.doyen.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Runs programs of the operating system. */
final class Commands {

    private Commands() {}

    /**
     * Runs the command.
     *
     * @throws IOException with the program's output if it fails
     */
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
