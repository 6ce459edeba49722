package dev.doyen.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Runs programs of the operating system. */
final class Commands {

    private static final int LIMIT_SECONDS = 60;

    private Commands() {}

    /**
     * Runs a command for at most {@value #LIMIT_SECONDS} s. The command may print only a few lines.
     *
     * @throws IOException if the program fails or does not end in time; the message contains the output of a program
     *     that fails
     */
    static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            // Wait first, because the read has no limit. The output is so short that the program can write all of it.
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(String.join(" ", command) + " did not end within " + LIMIT_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                throw new IOException(String.join(" ", command) + ": " + output.strip());
            }
        } finally {
            process.destroyForcibly();
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
