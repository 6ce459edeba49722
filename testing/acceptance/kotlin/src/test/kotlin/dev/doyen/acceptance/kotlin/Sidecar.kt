package dev.doyen.acceptance.kotlin

import dev.doyen.testkit.ServerProcess
import java.nio.file.Path

/** Starts `doyen elector` for pod-1 as a separate process. */
internal fun sidecar(directory: Path, store: String): ServerProcess =
    ServerProcess.start(directory.resolve("sidecar.log")) { port ->
        listOf(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", System.getProperty("java.class.path"),
            "dev.doyen.cli.Doyen", "elector",
            "--election=app", "--id=pod-1", "--store=$store", "--ttl=4s",
            "--http=localhost:$port", "--probe-address=localhost:0", "--admin-commands=loopback",
        )
    }
