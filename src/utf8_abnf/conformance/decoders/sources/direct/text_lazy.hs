import qualified Data.ByteString as B
import qualified Data.ByteString.Lazy as L
import Data.Text.Lazy.Encoding (decodeUtf8')
import System.Exit

main :: IO ()
main = do
    text <- B.getContents
    let pieces = L.fromChunks [B.singleton each | each <- B.unpack text]
    exitWith (ExitFailure (either (const 11) (const 10) (decodeUtf8' pieces)))
