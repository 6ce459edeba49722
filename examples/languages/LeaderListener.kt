import java.time.Duration
import java.time.LocalDateTime
import org.springframework.beans.factory.DisposableBean
import org.springframework.beans.factory.annotation.Value
import org.springframework.context.ApplicationEventPublisher
import org.springframework.http.codec.ServerSentEvent
import org.springframework.stereotype.Component
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.bodyToFlux
import reactor.core.publisher.Mono

data class Leader(val name: String, val last_update: LocalDateTime)

/** The leader has changed; "" if no leader is known. */
data class LeaderChanged(val name: String, val isMe: Boolean)

@Component
class LeaderListener(
    web: WebClient.Builder,
    publisher: ApplicationEventPublisher,
    @Value("\${ELECTOR_SSE_URL}") url: String,
    @Value("\${HOSTNAME}") me: String,
) : DisposableBean {
    private val listening = web.build().get().uri("$url?heartbeat=1s").retrieve()
        .bodyToFlux<ServerSentEvent<Leader>>()
        .timeout(Duration.ofSeconds(4)) // Heartbeats arrive here too, without data.
        .mapNotNull<String> { it.data()?.name }
        .onErrorComplete()
        .concatWith(Mono.just("")) // Without an answer there is no leader.
        .repeatWhen { it.delayElements(Duration.ofSeconds(1)) }
        .distinctUntilChanged()
        .subscribe { publisher.publishEvent(LeaderChanged(it, it == me)) }

    override fun destroy() = listening.dispose()
}
