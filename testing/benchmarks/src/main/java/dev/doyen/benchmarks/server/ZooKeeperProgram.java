package dev.doyen.benchmarks.server;

import java.nio.file.Path;

/** A program that runs a ZooKeeper server until its standard input ends. */
final class ZooKeeperProgram {

    private ZooKeeperProgram() {}

    /**
     * Runs the program.
     *
     * @param args the path of the configuration file
     */
    public static void main(String[] args) throws Exception {
        try (var server = new ZooKeeperInProcess(Path.of(args[0]))) {
            // The input ends when the parent process ends.
            int read = System.in.read();
            while (read >= 0) {
                read = System.in.read();
            }
            System.err.println("the server at " + server.url() + " ends with the process that started it");
        }
    }
}
