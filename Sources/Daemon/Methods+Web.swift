import HTTP
import JSON
import Wire

/// The page to look at.
extension Methods {
    /// The page's link; from here on it is served.
    func web() throws(RPCError) -> JSONValue {
        do {
            guard let link = try daemon.web.link() else {
                throw RPCError.refused(
                    "the page is off; take `web-listen = \"off\"` out of the configuration"
                )
            }
            return ["link": .string(link)]
        } catch let error as HTTPError {
            throw .refused("\(error); choose another `web-listen` in the configuration")
        } catch let error as RPCError {
            throw error
        } catch { preconditionFailure("there are no other errors: \(error)") }
    }
}
