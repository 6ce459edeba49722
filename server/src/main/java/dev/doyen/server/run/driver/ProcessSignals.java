package dev.doyen.server.run.driver;

import dev.doyen.server.run.RunSignal;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/**
 * The signals this process is sent, instead of what the virtual machine would do about them.
 *
 * <p>By {@code sun.misc.Signal} of the module jdk.unsupported, which has no successor; by reflection, for javac warns of
 * each mention of it and knows no way to silence that. A signal that the virtual machine keeps to itself is left to it.
 * One that was ignored when this process started (nohup) stays ignored.
 */
public final class ProcessSignals {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private ProcessSignals() {}

    /** From now on tells {@code listener}, on a thread of the virtual machine's. */
    public static void catchAll(Consumer<RunSignal> listener) {
        catchOnly(List.of(RunSignal.values()), listener);
    }

    /** As {@link #catchAll}, of these signals alone. */
    public static void catchOnly(List<RunSignal> signals, Consumer<RunSignal> listener) {
        try {
            var type = Class.forName("sun.misc.Signal");
            var handlerType = Class.forName("sun.misc.SignalHandler");
            var handle = type.getMethod("handle", type, handlerType);
            for (var signal : signals) {
                var handler = Proxy.newProxyInstance(
                        handlerType.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                            if (method.getName().equals("handle")) {
                                listener.accept(signal);
                                return null;
                            }
                            return method.getName().equals("hashCode") ? (Object) signal.hashCode() : answer(method);
                        });
                catchOne(handle, type.getConstructor(String.class).newInstance(signal.name()), handler, signal);
            }
        } catch (ReflectiveOperationException e) {
            LOG.log(
                    Level.WARNING,
                    "this Java runtime cannot catch signals (it lacks the module jdk.unsupported); they are not handed on");
        }
    }

    private static void catchOne(Method handle, Object signal, Object handler, RunSignal name)
            throws IllegalAccessException {
        try {
            handle.invoke(null, signal, handler);
        } catch (InvocationTargetException e) {
            LOG.log(Level.DEBUG, () -> "SIG" + name + " is the virtual machine's, and not handed on");
        }
    }

    /** equals and toString, of which the virtual machine asks neither. */
    private static Object answer(Method method) {
        return method.getReturnType() == boolean.class ? (Object) false : "doyen's signal handler";
    }
}
