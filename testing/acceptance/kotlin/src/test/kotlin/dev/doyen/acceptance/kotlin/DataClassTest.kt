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

/** As apps declare it: neither field may be missing or null, and no other may come. */
@Suppress("ConstructorParameterNaming", "PropertyName")
data class Leader(val name: String, val last_update: LocalDateTime)

/** The sidecar's process, and an app in Kotlin that asks it with Jackson. */
class DataClassTest {

    private val json = jacksonObjectMapper().registerModule(JavaTimeModule())

    @TempDir lateinit var directory: Path

    @Test
    fun the_answer_and_each_event_are_a_leader() {
        sidecar(directory, "file:" + directory.resolve("leases")).use { elector ->
            val heard = events(elector).first { it.name == "pod-1" }

            val answer = json.readValue<Leader>(url(elector, "/"))
            assertThat(answer.name).isEqualTo("pod-1")
            assertThat(answer.last_update).isAfterOrEqualTo(heard.last_update)
        }
    }

    @Test
    fun while_nobody_is_known_to_lead_there_is_a_name_which_is_nobodys() {
        sidecar(directory, "redis://127.0.0.1:1/nobody-is-there").use { elector ->
            assertThat(json.readValue<Leader>(url(elector, "/")).name).isEmpty()
            assertThat(events(elector).first().name).isEmpty()
        }
    }

    /** Which is why the sidecar never says it, as the NAIS elector did before its first result. */
    @Test
    fun an_empty_object_is_no_leader() {
        assertThatThrownBy { json.readValue<Leader>("{}") }.isInstanceOf(JsonMappingException::class.java)
    }

    /** Read as they come; a silence of 15 s fails. */
    private fun events(elector: ServerProcess): Sequence<Leader> {
        val connection = url(elector, "/sse").openConnection().apply { readTimeout = 15_000 }
        return connection.getInputStream().bufferedReader().lineSequence()
            .filter { it.startsWith("data: ") }
            .map { json.readValue<Leader>(it.removePrefix("data: ")) }
    }

    private fun url(elector: ServerProcess, path: String) = URI("http://localhost:${elector.port()}$path").toURL()
}
