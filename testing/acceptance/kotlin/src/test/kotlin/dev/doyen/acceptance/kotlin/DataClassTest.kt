package dev.doyen.acceptance.kotlin

import com.fasterxml.jackson.databind.JsonMappingException
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule
import com.fasterxml.jackson.module.kotlin.jacksonObjectMapper
import com.fasterxml.jackson.module.kotlin.readValue
import dev.doyen.testkit.ServerProcess
import java.net.URI
import java.nio.file.Path
import java.time.LocalDateTime
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** The data class as apps declare it. Both fields are required and not null, and further fields are rejected. */
@Suppress("ConstructorParameterNaming", "PropertyName")
data class Leader(val name: String, val last_update: LocalDateTime)

/** Tests that a Kotlin app can parse the sidecar's answers with Jackson. */
class DataClassTest {

    private val json = jacksonObjectMapper().registerModule(JavaTimeModule())

    @TempDir lateinit var directory: Path

    @Test
    fun the_answer_and_each_event_are_a_leader() {
        sidecar(directory, "file:" + directory.resolve("leases")).use { elector ->
            val received = events(elector).first { it.name == "pod-1" }

            val answer = json.readValue<Leader>(url(elector, "/"))
            assertThat(answer.name).isEqualTo("pod-1")
            assertThat(answer.last_update).isAfterOrEqualTo(received.last_update)
        }
    }

    @Test
    fun without_a_known_leader_the_name_is_empty() {
        sidecar(directory, "redis://127.0.0.1:1/nobody-is-there").use { elector ->
            assertThat(json.readValue<Leader>(url(elector, "/")).name).isEmpty()
            assertThat(events(elector).first().name).isEmpty()
        }
    }

    /**
     * The NAIS elector returned an empty object until it received a leader. The sidecar never returns an empty object.
     */
    @Test
    fun an_empty_object_is_not_a_leader() {
        assertThatThrownBy { json.readValue<Leader>("{}") }.isInstanceOf(JsonMappingException::class.java)
    }

    /** Returns the events of the stream as they arrive. Reading fails if no data arrives for 15 s. */
    private fun events(elector: ServerProcess): Sequence<Leader> {
        val connection = url(elector, "/sse").openConnection().apply { readTimeout = 15_000 }
        return connection.getInputStream().bufferedReader().lineSequence()
            .filter { it.startsWith("data: ") }
            .map { json.readValue<Leader>(it.removePrefix("data: ")) }
    }

    private fun url(elector: ServerProcess, path: String) = URI("http://localhost:${elector.port()}$path").toURL()
}
