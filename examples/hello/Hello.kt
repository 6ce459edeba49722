import dev.doyen.Election
import dev.doyen.kotlin.whileLeader
import kotlinx.coroutines.delay

suspend fun main(args: Array<String>) {
    Election.lease("orders").store(args[1]).open().use { election ->
        election.join(args[0]).whileLeader { leadership ->
            while (true) {
                println("${args[0]} leads in term ${leadership.term()}")
                delay(1000)
            }
        }
    }
}
