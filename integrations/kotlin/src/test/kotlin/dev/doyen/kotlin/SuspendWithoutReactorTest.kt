package dev.doyen.kotlin

import dev.doyen.spring.DoyenAutoConfiguration
import dev.doyen.spring.LeaderOnly
import dev.doyen.spring.test.FakeElectionsAutoConfiguration
import java.io.File
import java.net.URLClassLoader
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.context.annotation.AnnotationConfigApplicationContext

/** Tests that an application without kotlinx-coroutines-reactor rejects a suspend function with [LeaderOnly]. */
class SuspendWithoutReactorTest {

    @Test
    fun the_message_names_the_missing_library() {
        val jars = System.getProperty("java.class.path").split(File.pathSeparator)
        val others = jars.filterNot { it.contains("kotlinx-coroutines-reactor") }
        assertThat(others).hasSize(jars.size - 1)
        val urls = others.map { File(it).toURI().toURL() }.toTypedArray()
        val thread = Thread.currentThread()
        val before = thread.contextClassLoader
        URLClassLoader(urls, ClassLoader.getPlatformClassLoader()).use { loader ->
            thread.contextClassLoader = loader
            try {
                val start = loader.loadClass(SuspendingApplication::class.java.name).getMethod("start")
                assertThat(start.invoke(null)).isEqualTo(
                    "@LeaderOnly is on dev.doyen.kotlin.SuspendingApplication\$Job.text, a suspend function, which Spring" +
                        " intercepts only with kotlinx-coroutines-reactor; add" +
                        " org.jetbrains.kotlinx:kotlinx-coroutines-reactor",
                )
            } finally {
                thread.contextClassLoader = before
            }
        }
    }
}

/** An application with a suspend function, which the test loads with another class loader. */
object SuspendingApplication {

    /** Starts and stops the application, and returns the message of a rejected start. */
    @JvmStatic
    fun start(): String? = try {
        AnnotationConfigApplicationContext(
            FakeElectionsAutoConfiguration::class.java,
            DoyenAutoConfiguration::class.java,
            Job::class.java,
        ).use { "started" }
    } catch (e: RuntimeException) {
        generateSequence<Throwable>(e) { it.cause }.last().message
    }

    open class Job {
        @LeaderOnly("orders")
        open suspend fun text(): String? = "led"
    }
}
