package dev.doyen.benchmarks.server;

import java.nio.file.Path;

/** A process that is a ZooKeeper server and does nothing else, until its input ends. */
final class ZooKeeperProgram {

    private ZooKeeperProgram() {}

    /** {@code args}: the configuration file. */
    public static void main(String[] args) throws Exception {
        try (var server = new ZooKeeperInProcess(Path.of(args[0]))) {
            // The input ends with the process that started this one.
            int read = System.in.read();
            while (read >= 0) {
                read = System.in.read();
            }
            System.err.println("the server at " + server.url() + " ends with the process that started it");
        }
    }
}
