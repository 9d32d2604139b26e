import qualified Data.ByteString as B
import Data.Text.Encoding (decodeUtf8')
import System.Exit

main :: IO ()
main = B.getContents >>= exitWith . ExitFailure . either (const 11) (const 10) . decodeUtf8'
